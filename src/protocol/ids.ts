import { DragomanError } from './error.ts'

declare const brand: unique symbol
type Id<Name extends string> = string & { readonly [brand]: Name }

/** Names one conversation. */
export type SessionId = Id<'session'>
/** Names one prompt and all that follows it. */
export type InteractionId = Id<'interaction'>
/** Names one entry of a journal: a UUID v7, unique in the database. */
export type EntryId = Id<'entry'>
/** Names one prompt; chosen by the client, so that sending it again runs nothing twice. */
export type PromptId = Id<'prompt'>
/** Names one question of an agent. */
export type ApprovalId = Id<'approval'>
/** Names one rule by which questions are answered without asking. */
export type RuleId = Id<'rule'>
/** Identifies one context change, or one rollback of context changes. */
export type ManipulationId = Id<'manipulation'>
/** Names one run of an agent process within a session; a translation starts afresh with each. */
export type ConnectionId = Id<'connection'>

const wellFormed = /^(?!\.{1,2}$)[A-Za-z0-9_.:-]{1,128}$/

/** Reads an id that came from outside. Anything but 1 to 128 letters, digits, `_`, `-`, `.`, `:` is refused. */
export function readId<Kind extends Id<string>>(kind: string, value: string): Kind {
  if (wellFormed.test(value)) return value as Kind
  throw new DragomanError(
    'invalid-input',
    `${JSON.stringify(value.slice(0, 140))} is not a ${kind} id: use 1 to 128 letters, digits, "_", "-", "." or ":".`,
  )
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** A UUID v7 from a time in milliseconds and ten random bytes (74 of their bits are used). */
export function uuidV7(at: number, random: Uint8Array): string {
  const time = at.toString(16).padStart(12, '0')
  const byte = (index: number) => hex[random[index] ?? 0] ?? '00'
  const version = hex[0x70 | ((random[0] ?? 0) & 0x0f)] ?? '70'
  const variant = hex[0x80 | ((random[2] ?? 0) & 0x3f)] ?? '80'
  return (
    `${time.slice(0, 8)}-${time.slice(8)}-${version}${byte(1)}-${variant}${byte(3)}-` +
    `${byte(4)}${byte(5)}${byte(6)}${byte(7)}${byte(8)}${byte(9)}`
  )
}

/** Makes fresh ids of any kind. Handed in, because making one needs a clock and chance. */
export type NewId = <Kind extends Id<string>>() => Kind
