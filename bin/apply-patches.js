// After each install: npm runs it, and so does the image.
import { applyPatches } from "./patches.js";

applyPatches();
