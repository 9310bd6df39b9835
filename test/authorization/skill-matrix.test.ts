import { testMatrix } from "./matrix.ts";

testMatrix("Skill");
