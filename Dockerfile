# The service on Bun, for an outside Postgres (DATABASE_URL): neither the embedded one nor other runtimes are in it.
# It runs as a user without privileges, on a read-only root; only /tmp is written to.

FROM node:24-bookworm-slim AS packages
# on: with the token model and what runs it, which are 23 and some 70 MB. TOKEN_MODEL=on has no effect without.
ARG TOKEN_MODEL=off
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/multilingual/package.json ./packages/multilingual/package.json
COPY packages/token-model/package.json packages/token-model/token-model.onnx ./packages/token-model/
COPY bin ./bin
# Optional packages are the embedded Postgres; the runtimes are the base image's. No script of a package is run, but ours
# is: without its patch the Postgres driver ends the process when a connection breaks.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  && if [ "$TOKEN_MODEL" = on ]; then \
    npm install --no-save --save-prod --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
      "onnxruntime-node@$(node -p 'require("./package.json").peerDependencies["onnxruntime-node"]')" \
    && rm -rf node_modules/onnxruntime-node/bin/*/darwin node_modules/onnxruntime-node/bin/*/win32; \
  else rm packages/token-model/token-model.onnx; fi \
  && node bin/apply-patches.js \
  && rm -rf node_modules/.bin node_modules/tsx node_modules/esbuild \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

# The admin UI and the documents, with what builds them and is in no image.
FROM node:24-bookworm-slim AS built
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
COPY packages/multilingual/package.json ./packages/multilingual/package.json
COPY packages/token-model/package.json ./packages/token-model/package.json
COPY src ./src
COPY admin-ui ./admin-ui
COPY docs ./docs
COPY packages/client/README.md ./packages/client/README.md
COPY packages/client/examples ./packages/client/examples
COPY examples ./examples
COPY README.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md ./
# With the optional packages: the bundler's program is one of them.
RUN npm ci --ignore-scripts --no-audit --no-fund && node admin-ui/build.js && node docs/site/build.js

# The version that package.json names; a test compares them.
FROM oven/bun:1.4.5-slim
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=packages /app/packages/token-model ./packages/token-model
COPY --from=built /app/admin-ui/dist ./admin-ui/dist
COPY --from=built /app/docs/site/dist ./docs/site/dist
COPY package.json LICENSE ./
COPY packages/multilingual/package.json packages/multilingual/model.safetensors packages/multilingual/languages.safetensors packages/multilingual/kernel.wasm ./packages/multilingual/
COPY models ./models
COPY bin ./bin
COPY src ./src
RUN printf '#!/bin/sh\nexec bun /app/src/cli/main.ts "$@"\n' > /usr/local/bin/recollect && chmod 755 /usr/local/bin/recollect
ENV APP_ENV=production \
    HOST=0.0.0.0 \
    PORT=8787 \
    # Bun would keep what it compiles below the home folder, which is read-only.
    BUN_RUNTIME_TRANSPILER_CACHE_PATH=0
USER bun
EXPOSE 8787
# The process, not its dependencies: a restart helps against nothing else.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["bun", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["bun", "src/main.ts"]
