import type { CallEnd } from '../projections/call-end.ts'

/** A short text that is the same for the same end of a call, and hardly ever for another. */
export function markOf(chunk: CallEnd): string {
  const output = chunk.type === 'tool-output-available' ? chunk.output : null
  const error = 'errorText' in chunk ? chunk.errorText : null
  const text = JSON.stringify([chunk.type === 'tool-output-denied', output, error])
  return `${text.length.toString(36)}.${hash(text, 0x81_1c_9d_c5)}${hash(text, 0x9e_37_79_b9)}`
}

function hash(text: string, seed: number): string {
  let value = seed
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01_00_01_93)
  return (value >>> 0).toString(36)
}
