// Numbers by chance that come again with the same seed (the generator is mulberry32).

export function chance(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    /** A number from 0 to below 1. */
    next,
    /** A whole number from `low` to `high`, both possible. */
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    /** Returns an item by chance. */
    of: (items) => items[Math.floor(next() * items.length)],
  };
}
