# Framewright with everything it needs for many machines: ffmpeg, PostgreSQL's driver, S3, Prometheus.
#   docker build -t framewright . && docker run --rm framewright --help
#   docker run --rm -p 127.0.0.1:8080:4820 -v framewright:/data framewright      # the API at http://localhost:8080
FROM node:22-bookworm-slim AS build
WORKDIR /framewright
# Packages first: they change less often than the program.
COPY package.json package-lock.json .npmrc ./
COPY test/clients/n8n-workflow test/clients/n8n-workflow
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

FROM node:22-bookworm-slim AS packages
WORKDIR /framewright
COPY package.json package-lock.json .npmrc ./
COPY test/clients/n8n-workflow test/clients/n8n-workflow
# Electron's tools and ffmpeg's packages stay outside, speech recognition and the optional peers of package.json come in. As long as they are listed for
# developers, too, npm would leave them out; the lock file still says which versions.
RUN npm pkg delete devDependencies peerDependencies peerDependenciesMeta \
    optionalDependencies.ffmpeg-static optionalDependencies.@ffmpeg-installer/ffmpeg \
 && npm install --ignore-scripts \
    pg pg-boss @aws-sdk/client-s3 @aws-sdk/lib-storage @aws-sdk/s3-request-presigner prom-client

FROM node:22-bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ffmpeg libgomp1 \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /framewright
COPY package.json LICENSE ./
COPY --from=packages /framewright/node_modules node_modules
COPY --from=build /framewright/dist dist
COPY --from=build /framewright/resources resources
RUN ln -s /framewright/dist/server/cli.mjs /usr/local/bin/framewright \
 && mkdir /data /shared /storage && chown node:node /data /shared /storage
ENV FFMPEG_PATH=/usr/bin/ffmpeg
USER node
EXPOSE 4820
ENTRYPOINT ["framewright"]
CMD ["serve", "--host", "0.0.0.0", "--data", "/data"]
