import { testMatrix } from "./matrix.ts";

testMatrix("MCP");
