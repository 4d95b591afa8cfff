# The image of dbr: what `npm pack` publishes, with the dependencies of package-lock.json, on Node alone.
# A registry of yours: docker build --secret id=npmrc,src=$HOME/.npmrc .
ARG NODE_VERSION=24

# Compiles the package. Only this stage has make, a compiler and the tools of development.
FROM docker.io/library/node:${NODE_VERSION}-bookworm AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc Makefile ./
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc make install
COPY . .
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc \
    npm pack --silent --pack-destination /tmp \
    && mkdir -p /opt/dbr \
    && tar -xzf /tmp/dbr-server-*.tgz -C /opt/dbr --strip-components=1 \
    && chmod 0755 /opt/dbr/dist/src/main.js
# The image is for a database of yours, so it leaves out the PostgreSQL server that `dbr serve` starts without one.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc \
    cp package-lock.json .npmrc /opt/dbr/ \
    && npm ci --prefix /opt/dbr --omit=dev --omit=optional --ignore-scripts \
    && rm -rf /opt/dbr/examples /opt/dbr/.npmrc

FROM docker.io/library/node:${NODE_VERSION}-bookworm-slim
# Node runs the service; package managers are not needed for that.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
    /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-*
COPY --from=build /opt/dbr /opt/dbr
RUN ln -s /opt/dbr/dist/src/main.js /usr/local/bin/dbr
ENV NODE_ENV=production DBR_LOG_FORMAT=json
WORKDIR /opt/dbr
# The user `node` of the base image, by number, so that Kubernetes can see that it is not root.
USER 1000:1000
EXPOSE 3000 3001 3002
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=10s --start-period=30s --retries=3 CMD ["dbr", "ready"]
ENTRYPOINT ["dbr"]
CMD ["serve"]
