DCGM_EXPORTER_VERSION=4.6.0-4.8.3 && \
sudo docker run -d --rm --name dcgm-exporter --gpus all --net host --cap-add SYS_ADMIN \
  -e DCGM_EXPORTER_DEBUG=true --env=DCGM_EXPORTER_USE_OLD_NAMESPACE=1 -p 9400:9400 \
  nvcr.io/nvidia/k8s/dcgm-exporter:4.6.0-4.8.3-distroless \
  --config-file /etc/dcgm-exporter/config.yaml --enable-pprof
