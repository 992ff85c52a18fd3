"use strict";
// Unpacks zlib data (RFC 1950, 1951) where the browser has no DecompressionStream.
function inflateZlib(input) {
  const LENGTHS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83,
    99, 115, 131, 163, 195, 227, 258];
  const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5,
    5, 5, 0];
  const DISTANCES = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769,
    1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577];
  const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
  let at = 2, held = 0, bits = 0;
  let output = new Uint8Array(Math.max(1024, input.length * 6)), size = 0;

  function take(count) {
    while (bits < count) {
      if (at >= input.length) throw new Error("the data ends too early");
      held |= input[at++] << bits;
      bits += 8;
    }
    const value = held & ((1 << count) - 1);
    held >>>= count;
    bits -= count;
    return value;
  }
  function room(count) {
    if (size + count <= output.length) return;
    const larger = new Uint8Array(Math.max(output.length * 2, size + count));
    larger.set(output.subarray(0, size));
    output = larger;
  }
  // A code is how many symbols have each length, and the symbols in order of their codes.
  function code(lengths) {
    const counts = new Uint16Array(16), starts = new Uint16Array(16);
    for (const length of lengths) counts[length]++;
    counts[0] = 0;
    for (let length = 1; length < 16; length++) {
      starts[length] = starts[length - 1] + counts[length - 1];
    }
    const symbols = new Uint16Array(lengths.length);
    lengths.forEach((length, symbol) => { if (length) symbols[starts[length]++] = symbol; });
    return { counts, symbols };
  }
  function symbol({ counts, symbols }) {
    let value = 0, first = 0, index = 0;
    for (let length = 1; length < 16; length++) {
      value |= take(1);
      const count = counts[length];
      if (value - first < count) return symbols[index + value - first];
      index += count;
      first = (first + count) << 1;
      value <<= 1;
    }
    throw new Error("the data is damaged");
  }
  function codes() {
    const literals = take(5) + 257, distances = take(5) + 1, given = take(4) + 4;
    const lengths = new Array(19).fill(0);
    for (let index = 0; index < given; index++) lengths[ORDER[index]] = take(3);
    const outer = code(lengths), found = [];
    while (found.length < literals + distances) {
      const next = symbol(outer);
      if (next < 16) { found.push(next); continue; }
      const value = next === 16 ? found[found.length - 1] : 0;
      let count = next === 16 ? 3 + take(2) : next === 17 ? 3 + take(3) : 11 + take(7);
      while (count--) found.push(value);
    }
    return [code(found.slice(0, literals)), code(found.slice(literals, literals + distances))];
  }
  function fixed() {
    const lengths = Array.from({ length: 288 },
      (_, index) => (index < 144 ? 8 : index < 256 ? 9 : index < 280 ? 7 : 8));
    return [code(lengths), code(new Array(30).fill(5))];
  }
  function stored() {
    held = bits = 0;
    const count = input[at] | (input[at + 1] << 8);
    at += 4;
    room(count);
    output.set(input.subarray(at, at + count), size);
    at += count;
    size += count;
  }
  function block([literals, distances]) {
    for (;;) {
      const next = symbol(literals);
      if (next === 256) return;
      if (next < 256) { room(1); output[size++] = next; continue; }
      const count = LENGTHS[next - 257] + take(LENGTH_BITS[next - 257]);
      const far = symbol(distances);
      const distance = DISTANCES[far] + take(far < 2 ? 0 : (far >> 1) - 1);
      if (distance > size) throw new Error("the data is damaged");
      room(count);
      for (let index = 0; index < count; index++, size++) output[size] = output[size - distance];
    }
  }
  for (let last = 0; !last;) {
    last = take(1);
    const kind = take(2);
    if (kind === 0) stored();
    else if (kind === 3) throw new Error("the data is damaged");
    else block(kind === 1 ? fixed() : codes());
  }
  return output.subarray(0, size);
}
