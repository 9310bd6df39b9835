// Makes kernel.wasm: the product of a matrix of int16 rows with a packed matrix of int16 weights, by SIMD.
//
//   multiply(rows, stride, weights, results, resultStride, rowCount, depth, width)
//
// results[row][column] (float32) = sum over k < depth of rows[row * stride + k] * weights[k][column]
//
// Addresses are in bytes, strides in numbers. Rows may overlap, so that a convolution is a product too. `depth` and `width`
// are multiples of 8. Rows are computed four at a time: up to three more than `rowCount` are read and written.
// Weights lie in blocks of 8 columns; within a block, the columns' numbers for k and k + 1 stand side by side, since
// i32x4.dot_i16x8_s adds the products of two neighbours.
import { writeFileSync } from "node:fs";
import openAssembler from "wabt";

const ROWS = [0, 1, 2, 3];
/** Two vectors of four sums make a block of 8 columns. */
const HALVES = [0, 1];
/** Pairs of numbers that one turn of the innermost loop takes from each row. */
const PAIRS = [0, 1, 2, 3];
const PAIR_BYTES = 4;
const VECTOR_BYTES = 16;

const each = (items, write) => items.map(write).join("\n");
const eachSum = (write) => each(ROWS, (row) => each(HALVES, (half) => write(row, half)));

const parameters = ["rows", "stride", "weights", "results", "resultStride", "rowCount", "depth", "width"];

const declareLocals = `
  (local $row i32) (local $column i32) (local $left i32) (local $weight i32) (local $result i32)
  (local $weights0 v128) (local $weights1 v128) (local $numbers v128)
  ${each(ROWS, (row) => `(local $row${row} i32)`)}
  ${eachSum((row, half) => `(local $sum${row}${half} v128)`)}`;

const pointToRows = `
  (local.set $row0 (i32.add (local.get $rows)
    (i32.mul (local.get $row) (i32.shl (local.get $stride) (i32.const 1)))))
  ${each(
    ROWS.slice(1),
    (row) => `
  (local.set $row${row} (i32.add (local.get $row${row - 1}) (i32.shl (local.get $stride) (i32.const 1))))`,
  )}`;

const pointToBlock = `
  (local.set $weight (i32.add (local.get $weights)
    (i32.mul (i32.shl (local.get $column) (i32.const 1)) (local.get $depth))))`;

const clearSums = eachSum((row, half) => `(local.set $sum${row}${half} (v128.const i32x4 0 0 0 0))`);

const addProducts = (row, half) => `
  (local.set $sum${row}${half} (i32x4.add (local.get $sum${row}${half})
    (i32x4.dot_i16x8_s (local.get $numbers) (local.get $weights${half}))))`;

const addPair = (pair) => `
  ${each(HALVES, (half) => {
    const offset = pair * HALVES.length * VECTOR_BYTES + half * VECTOR_BYTES;
    return `(local.set $weights${half} (v128.load offset=${offset} (local.get $weight)))`;
  })}
  ${each(
    ROWS,
    (row) => `
  (local.set $numbers (v128.load32_splat offset=${pair * PAIR_BYTES} (local.get $row${row})))
  ${each(HALVES, (half) => addProducts(row, half))}`,
  )}`;

const advance = `
  ${each(ROWS, (row) => `(local.set $row${row} (i32.add (local.get $row${row}) (i32.const ${PAIRS.length * PAIR_BYTES})))`)}
  (local.set $weight (i32.add (local.get $weight) (i32.const ${PAIRS.length * HALVES.length * VECTOR_BYTES})))`;

const storeSums = `
  (local.set $result (i32.add (local.get $results) (i32.shl
    (i32.add (i32.mul (local.get $row) (local.get $resultStride)) (local.get $column)) (i32.const 2))))
  ${each(
    ROWS,
    (row) => `
  ${each(
    HALVES,
    (half) => `
  (v128.store offset=${half * VECTOR_BYTES} (local.get $result) (f32x4.convert_i32x4_s (local.get $sum${row}${half})))`,
  )}
  (local.set $result (i32.add (local.get $result) (i32.shl (local.get $resultStride) (i32.const 2))))`,
  )}`;

const kernel = `(module
  (memory (export "memory") 1)
  (func (export "multiply") ${parameters.map((name) => `(param $${name} i32)`).join(" ")}
    ${declareLocals}
    (loop $blocks
      (local.set $row (i32.const 0))
      (loop $rowGroups
        ${pointToRows}
        ${pointToBlock}
        ${clearSums}
        (local.set $left (local.get $depth))
        (loop $numbersOfRow
          ${each(PAIRS, addPair)}
          ${advance}
          (br_if $numbersOfRow (local.tee $left (i32.sub (local.get $left) (i32.const ${2 * PAIRS.length})))))
        ${storeSums}
        (br_if $rowGroups (i32.lt_s
          (local.tee $row (i32.add (local.get $row) (i32.const ${ROWS.length}))) (local.get $rowCount))))
      (br_if $blocks (i32.lt_s
        (local.tee $column (i32.add (local.get $column) (i32.const 8))) (local.get $width))))))`;

const assembler = await openAssembler();
const { buffer } = assembler.parseWat("kernel.wat", kernel, { simd: true }).toBinary({});
writeFileSync(new URL("../kernel.wasm", import.meta.url), buffer);
process.stdout.write(`kernel.wasm: ${buffer.length} bytes\n`);
