# syntax=docker/dockerfile:1

# A long-term-support release; the sources themselves need no more than the floor in package.json.
FROM node:24-bookworm-slim AS build
WORKDIR /app
# better-sqlite3 is compiled where no ready-made binary fits. Debian drops old package versions, so none can be pinned.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends build-essential python3 \
    && rm -rf /var/lib/apt/lists/*
COPY .npmrc package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY src ./src
# TDLib is for the tests alone, and large.
RUN npm run build && npm prune --omit=dev --no-audit --no-fund && rm -rf node_modules/@prebuilt-tdlib

FROM node:24-bookworm-slim
# The version that the tests run against.
ARG CLAUDE_VERSION=2.1.197
# git for Claude; certificates for HTTPS; tini to reap what Claude's tools leave behind.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates git tini \
    && rm -rf /var/lib/apt/lists/*
# Asked for its version at once: a CLI that cannot run here must fail the build, not the first prompt.
RUN npm install --global --no-audit --no-fund "@anthropic-ai/claude-code@${CLAUDE_VERSION}" \
    && claude --version \
    && npm cache clean --force
WORKDIR /app
COPY LICENSE package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# Made before the volumes are declared: a fresh named volume takes its owner from here.
RUN install --directory --owner=node --group=node --mode=0700 /data \
    && install --directory --owner=node --group=node /projects
# SHELL: Claude runs its commands in bash. DISABLE_AUTOUPDATER: the version above stays the version.
ENV NODE_ENV=production \
    SHELL=/bin/bash \
    DISABLE_AUTOUPDATER=1
USER node
# /data: Signoff's state. /home/node: Claude's login, settings and conversations.
VOLUME ["/data", "/home/node"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "/app/dist/main.js", "start", "--config", "/config/signoff.toml"]
