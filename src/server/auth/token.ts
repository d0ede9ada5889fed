import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { DragomanError } from '../../protocol/error.ts'

/** A fresh token: 256 random bits. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Refuses a token that is too easy to guess, or not valid in a header. A token is always required. */
export function checkToken(token: string): void {
  if (/^[\x21-\x7e]{16,512}$/.test(token)) return
  throw new DragomanError(
    'invalid-input',
    'The token must have 16 to 512 letters, digits or symbols, without spaces. Leave it out to get a random one.',
  )
}

/** Compares two texts in constant time. */
export const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))

const digest = (text: string) => createHash('sha256').update(text).digest()
