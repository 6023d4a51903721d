# The operator and the command line in one small image: the bundle, Node, and a normal user. Nothing is installed at run time.
#
#   docker build -t afloat:0.1.0 .

FROM node:20-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
# The bundle is made below, when its sources are there.
RUN npm ci --ignore-scripts
COPY . .
RUN npx tsx scripts/build.ts

FROM node:20-bookworm-slim
# What only builds things is not needed, and not there to be misused.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn*
COPY --from=build /build/package.json /app/package.json
COPY --from=build /build/bin /app/bin
COPY --from=build /build/dist /app/dist
ENV NODE_ENV=production HOME=/tmp
USER 65532:65532
EXPOSE 8080
ENTRYPOINT ["node", "/app/bin/afloat.js"]
CMD ["operator"]
