# Macrobench in a container. The results are written to /results, as whoever runs it:
#
#   docker build --tag macrobench .                       (with a GPU: --build-arg CUDA=on)
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD/results:/results" macrobench
#
# With a GPU add --gpus all; for a longer budget --env BUDGET=30m.
FROM debian:bookworm-slim

WORKDIR /macrobench
# The packages first: they outlive a change of the sources, and serve with CUDA and without.
COPY tools/ tools/
RUN tools/setup build && rm -rf /var/lib/apt/lists/*

ARG CUDA=off
# Machine code for every family of GPUs: none has to be compiled at start-up, which is measured.
ARG CUDA_ARCHITECTURES=all-major
# What make is told here, it is told again when the image runs, and finds all built.
ENV CUDA=$CUDA CUDA_ARCHITECTURES=$CUDA_ARCHITECTURES TARGETS=macrobench BUDGET=5m \
    RESULTS=/results NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility
COPY . .
RUN make build && \
    git config --system --add safe.directory /macrobench && \
    chmod -R go+rX . && mkdir -m 1777 /results

VOLUME /results
CMD ["make", "--silent", "replicate"]
