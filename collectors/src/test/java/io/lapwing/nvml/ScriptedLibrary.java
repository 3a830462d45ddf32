package io.lapwing.nvml;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A library whose functions are given one by one; what is not given is not in it, as if the symbol
 * were missing. It writes down each call.
 */
final class ScriptedLibrary implements InvocationHandler {

  private final Map<String, ToIntFunction<Object[]>> functions = new ConcurrentHashMap<>();
  private final List<String> calls = new CopyOnWriteArrayList<>();

  ScriptedLibrary with(String function, ToIntFunction<Object[]> answer) {
    functions.put(function, answer);
    return this;
  }

  ScriptedLibrary answering(String function, int code) {
    return with(function, arguments -> code);
  }

  /** Every function of another library, and the calls counted. */
  static ScriptedLibrary over(NvmlLibrary real) {
    ScriptedLibrary script = new ScriptedLibrary();
    for (Method method : NvmlLibrary.class.getDeclaredMethods()) {
      script.with(method.getName(), arguments -> call(real, method, arguments));
    }
    return script;
  }

  private static int call(NvmlLibrary real, Method method, Object[] arguments) {
    try {
      return (int) method.invoke(real, arguments);
    } catch (InvocationTargetException thrown) {
      if (thrown.getCause() instanceof UnsatisfiedLinkError missing) {
        throw missing;
      }
      throw new AssertionError(thrown.getCause());
    } catch (IllegalAccessException impossible) {
      throw new AssertionError(impossible);
    }
  }

  NvmlLibrary library() {
    return (NvmlLibrary)
        Proxy.newProxyInstance(
            NvmlLibrary.class.getClassLoader(), new Class<?>[] {NvmlLibrary.class}, this);
  }

  /** The names of the functions that were called, in order. */
  List<String> calls() {
    return List.copyOf(calls);
  }

  long count(String function) {
    return calls.stream().filter(function::equals).count();
  }

  @Override
  public Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
    calls.add(method.getName());
    ToIntFunction<Object[]> function = functions.get(method.getName());
    if (function == null) {
      throw new UnsatisfiedLinkError(method.getName());
    }
    return function.applyAsInt(arguments == null ? new Object[0] : arguments);
  }
}
