import { testMatrix } from "./matrix.ts";

testMatrix("REST");
