import type { DataFolder } from "./data-folder.ts";

/** The command line of the postmaster. Given at each start, so that a new release can change its mind. */
export function serverArguments(folder: DataFolder): string[] {
  const settings = { ...connections(folder), ...durability, ...silence, ...modesty };
  return [
    "-D",
    folder.cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
}

function connections({ socketFolder }: DataFolder) {
  return {
    listen_addresses: "",
    // A list: quotes keep a comma or a blank in the path together.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
    port: "5432",
    max_connections: "100",
  };
}

const durability = {
  fsync: "on",
  full_page_writes: "on",
  synchronous_commit: "on",
  wal_level: "replica",
  wal_compression: "on",
  max_wal_size: "1GB",
};

// Memories must never reach the log. An ERROR or WARNING may quote one ("invalid input syntax …", "Key (…)
// already exists"), and goes to the client anyway: LOG, FATAL and PANIC remain, which are about the server,
// without their details.
const silence = {
  logging_collector: "off",
  log_destination: "stderr",
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_statement: "none",
  log_min_duration_statement: "-1",
  log_parameter_max_length: "0",
  log_parameter_max_length_on_error: "0",
  log_autovacuum_min_duration: "-1",
  log_checkpoints: "off",
  log_line_prefix: "%m [%p] ",
  log_timezone: "UTC",
};

const modesty = {
  shared_buffers: "128MB",
  jit: "off",
  timezone: "UTC",
  cluster_name: "recollect",
};
