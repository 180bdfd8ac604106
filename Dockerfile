# An image of nothing but the program, which needs no library and no file:
#   docker build -t topsim . && docker run --rm -v "$PWD:/work" topsim run my_case.toml
# Judging starts a solver; the image of the solver gets the program with `COPY --from=topsim /topsim /usr/local/bin/`.
FROM rust:1.95-alpine AS build
RUN apk add --no-cache musl-dev
WORKDIR /src
COPY . .
# The git revision that reports name.
ARG TOPSIM_REVISION=unknown
ENV TOPSIM_REVISION=$TOPSIM_REVISION
RUN cargo build --locked --profile dist --bin topsim

FROM scratch
COPY --from=build /src/target/dist/topsim /topsim
WORKDIR /work
ENTRYPOINT ["/topsim"]
