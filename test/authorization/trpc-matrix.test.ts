import { testMatrix } from "./matrix.ts";

testMatrix("tRPC");
