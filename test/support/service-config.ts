import { type Config, readConfig } from "../../src/compose/config.ts";

/**
 * Settings of a service inside a test. The encoder is off: each service would start a thread that loads the model, which
 * costs more than most tests do.
 */
export function serviceConfig(env: Readonly<Record<string, string>> = {}): Config {
  return readConfig({ APP_ENV: "test", LOG_LEVEL: "error", MULTILINGUAL_MODEL: "off", ...env });
}
