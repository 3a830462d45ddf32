"""What becomes of an attack."""


class NotHeld(Exception):
    """The agent did not withstand the attack; the message says what happened."""


class NotTried(Exception):
    """The attack could not be made here; the message says why. Never counted as held."""


class Failed(Exception):
    """The attack did not do what it claims, so that it proves nothing. Never counted as held."""


def held(holds, otherwise):
    if not holds:
        raise NotHeld(otherwise)


def done(holds, otherwise):
    """Checks that the attacker did his part."""
    if not holds:
        raise Failed(otherwise)
