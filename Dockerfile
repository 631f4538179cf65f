# Uses only COPY and scripts, so that tests/deploy/dockerfile.test.ts can run the steps without a container engine.
ARG NODE=node:24-bookworm-slim

FROM ${NODE} AS build
# the build's name; .git is not in the build context
ARG RIDEHAIL_COMMIT
WORKDIR /app
COPY . .
RUN deploy/image/build.sh

FROM ${NODE} AS packages
WORKDIR /app
COPY --from=build /app/packed packed
COPY deploy/image/packages.sh ./
RUN ./packages.sh

FROM ${NODE}
ENV NODE_ENV=production
ENV DATABASE_URL=file:/data/ridehail.db
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=packages --chown=node:node /app/data /data
COPY deploy/image/ready.js ./
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s CMD ["node", "ready.js"]
CMD ["node", "node_modules/ridehail-server/dist/server/main.js"]
