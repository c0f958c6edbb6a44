# Macrobench in a container. The results are written to /results, owned by whoever runs it:
#
#   docker build --tag macrobench .                       (with a GPU: --build-arg CUDA=on)
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD/results:/results" macrobench
#
# With a GPU, add --gpus all; for a longer budget, --env BUDGET=30m.
FROM debian:bookworm-slim

WORKDIR /macrobench
# The packages come first: a change of the sources leaves this layer valid, with or without CUDA.
COPY tools/ tools/
# Machines that run one image are not one machine: each folder of results has its own id, in .state.
RUN tools/setup build && rm -rf /var/lib/apt/lists/* /etc/machine-id /var/lib/dbus/machine-id

ARG CUDA=off
# Machine code for every family of GPUs, so that none is compiled during start-up, which is measured.
ARG CUDA_ARCHITECTURES=all-major
# The same settings apply when the image runs, so make finds everything built.
ENV CUDA=$CUDA CUDA_ARCHITECTURES=$CUDA_ARCHITECTURES TARGETS=macrobench BUDGET=5m \
    RESULTS=/results XDG_STATE_HOME=/results/.state NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility
COPY . .
RUN CCACHE_DISABLE=1 make build && \
    git config --system --add safe.directory /macrobench && \
    chmod -R go+rX . && mkdir -m 1777 /results

VOLUME /results
CMD ["make", "--silent", "replicate"]
