# The operator and the command line in one small image: the bundle, Node, git and Helm, and a normal user. Nothing is installed at run time.
#
#   docker build -t afloat:0.1.0 .
#
# scripts/kubernetes/node/operator-image-facts.ts says the same for the image that tests make without Docker; a test compares the two.

FROM node:20-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
# The bundle is made below, when its sources are there.
RUN npm ci --ignore-scripts
COPY . .
RUN npx tsx scripts/build.ts

# Helm, which renders charts, from its published module: Go checks it against the public checksum database.
FROM golang:1.26-bookworm AS helm
RUN CGO_ENABLED=0 GOBIN=/out go install -trimpath -ldflags='-s -w' helm.sh/helm/v3/cmd/helm@v3.22.0

FROM node:20-bookworm-slim
# git reads packages at a commit, over https: ca-certificates says whom to trust. What only builds things is not needed, and not there to
# be misused.
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates git \
 && rm -rf /var/lib/apt/lists/* /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* \
 && echo 'afloat:x:65532:65532:afloat:/tmp:/usr/sbin/nologin' >> /etc/passwd \
 && echo 'afloat:x:65532:' >> /etc/group
COPY --from=helm /out/helm /usr/local/bin/helm
COPY --from=build /build/package.json /app/package.json
COPY --from=build /build/bin /app/bin
COPY --from=build /build/dist /app/dist
ENV NODE_ENV=production HOME=/tmp
USER 65532:65532
EXPOSE 8080
ENTRYPOINT ["node", "/app/bin/afloat.js"]
CMD ["operator"]
