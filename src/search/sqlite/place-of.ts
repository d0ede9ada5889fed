/** Texts of about seventy minutes share a block of ids. */
const spanMs = 2 ** 22
/** A block has so many ids. */
export const places = 2 ** 12

/** The first id of the block for a time. */
export const blockOf = (at: number): number => Math.floor(at / spanMs) * places

/** The first id of the block that an id is in. */
export const blockWith = (id: number): number => id - (id % places)

/** The first id of the block after one. */
export const blockAfter = (block: number): number => block + places
