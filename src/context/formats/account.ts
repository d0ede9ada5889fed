import { isObject, type Json, type JsonObject } from '../../protocol/json.ts'
import type { Arranged } from './arrange/arrange.ts'
import type { Codec, Place } from './codec.ts'
import type { Conversation, Loss, LossReason, Message, Part, Role } from './conversation.ts'
import { insteadOfList } from './envelope.ts'
import { type Leaf, leavesOf, missingLeaves } from './leaves.ts'
import { textAt } from './look.ts'
import { createMemory } from './memory.ts'

const rememberLost = createMemory<readonly Lost[]>()

/** A leaf that is lost, and why. */
interface Lost extends Leaf {
  readonly why: LossReason
}

/**
 * The losses: leaves of the original that the written document alone cannot restore. To find them, the document is read, and
 * written again in the original's format, without its native JSON.
 */
export function account(
  arranged: Arranged,
  codec: Codec,
  codecOf: (format: Codec['format']) => Codec,
): readonly Loss[] {
  const { conversation, segments, system, dropped } = arranged
  const homes = homesOf(conversation)
  const lossesOf = (part: Part, lost: readonly Lost[]): readonly Loss[] =>
    lost.map(({ path, why }) => ({ message: homes.get(part.id) ?? null, part: part.id, path, why }))
  const kept: Loss[] = []
  for (const { role, parts } of [{ role: 'system' as const, parts: system }, ...segments])
    for (const part of parts) {
      const key = `${codec.format} ${role}`
      const lost = rememberLost(part, key, () => lostOf(part, role, codec, codecOf))
      if (lost.length > 0 && homes.has(part.id)) kept.push(...lossesOf(part, lost))
    }
  const gone = dropped.flatMap(({ part, why, isGone }) =>
    lossesOf(
      part,
      goneLeaves(part, codecOf)
        .filter(({ path }) => isGone?.(path) !== false)
        .map(leaf => ({ ...leaf, why: isSealed(part, leaf.value) ? 'foreign-seal' : why })),
    ),
  )
  return [
    ...lostOfDocument(arranged, codec),
    ...lostOfMessages(conversation, segments, codec, codecOf),
    ...kept,
    ...gone,
  ]
}

function homesOf({ system, messages }: Conversation): ReadonlyMap<string, string | null> {
  const homes = new Map<string, string | null>(system.map(({ id }) => [id, null]))
  for (const { id, parts } of messages) for (const part of parts) homes.set(part.id, id)
  return homes
}

/** The leaves of a document besides its messages; another format takes none of them. */
function lostOfDocument({ conversation: { native }, isAsItCame }: Arranged, codec: Codec): readonly Loss[] {
  if (native === undefined || (native.format === codec.format && isAsItCame)) return []
  if (native.format === codec.format || !isObject(native.json)) return lostInstead(native.json, codec)
  return leavesOf(native.json)
    .filter(
      ({ path, value }) =>
        !(
          isEmptied(value) &&
          /^\/(system|messages|input|instructions|contents|system_?[iI]nstruction\/parts)$/.test(path)
        ),
    )
    .filter(({ path }) => path !== '')
    .map(({ path }) => ({ message: null, part: null, path, why: 'unsupported' }))
}

/** The value that a list of messages replaced. */
function lostInstead(json: Json, { listKey }: Codec): readonly Loss[] {
  const instead = insteadOfList(json, listKey)
  if (instead === undefined || isEmptied(instead)) return []
  return leavesOf(instead, isObject(json) ? `/${listKey}` : '').map(({ path }) => ({
    message: null,
    part: null,
    path,
    why: 'unsupported',
  }))
}

const isEmptied = (value: Json) =>
  value === '' || value === null || (Array.isArray(value) && value.length === 0)

/** The leaves of messages besides their parts. */
function lostOfMessages(
  { messages }: Conversation,
  segments: Arranged['segments'],
  codec: Codec,
  codecOf: (format: Codec['format']) => Codec,
): readonly Loss[] {
  const written = new Set(segments.map(({ message }) => message))
  return messages.flatMap(message => {
    if (message.native === undefined || !isObject(message.native.json)) return []
    if (message.native.format === codec.format && written.has(message)) return []
    const { partKeys, roleName } = codecOf(message.native.format)
    const role = message.native.json['role']
    const isNamed =
      role === roleName(message.role) || message.role === 'tool' || codec.keepsRoleOf?.(message) === true
    const isRoleSaid = isNamed && !isMoved(message, segments, codec)
    return leavesOf(message.native.json)
      .filter(({ path, value }) => !(partKeys.includes(path.slice(1)) && isEmptied(value)) && path !== '')
      .filter(({ path }) => !(isRoleSaid && path === '/role'))
      .filter(
        ({ path }) =>
          !(
            path === '/id' &&
            codec.format === 'ui-messages' &&
            message.id === textAt(message.native?.json, 'id')
          ),
      )
      .map(({ path }): Loss => ({ message: message.id, part: null, path, why: 'unsupported' }))
  })
}

/** A system message among the others, where the provider has none. */
const isMoved = (message: Message, segments: Arranged['segments'], { rules }: Codec) =>
  message.role === 'system' &&
  rules.system === 'apart' &&
  segments.some(({ parts }) => parts.some(({ id }) => message.parts.some(part => part.id === id)))

/** The leaves of a part that is not written, including those that it shares with its pair when a result is left out. */
const goneLeaves = (part: Part, codecOf: (format: Codec['format']) => Codec): readonly Leaf[] =>
  part.kind === 'result' && part.native !== undefined
    ? leavesOf(part.native.json)
    : originalLeaves(part, codecOf)

/** The leaves with the ids of a part. */
function originalLeaves(part: Part, codecOf: (format: Codec['format']) => Codec): readonly Leaf[] {
  if (part.native === undefined) return leavesOf(typed(part))
  const { isSaidByPair } = codecOf(part.native.format)
  return leavesOf(part.native.json).filter(leaf => isSaidByPair?.(part, leaf) !== true)
}

function lostOf(
  part: Part,
  role: Role,
  codec: Codec,
  codecOf: (format: Codec['format']) => Codec,
): readonly Lost[] {
  if (part.native?.format === codec.format && codec.isSound(part.native.json, role)) return []
  const written = codec.serialize(part, role)
  if (written === null) return []
  const place = { id: part.id, role, ...('call' in part && { call: part.call, toolOf: () => part.tool }) }
  const [again] = codec.parse(written, place)
  const lost = missingLeaves(
    originalLeaves(part, codecOf),
    again === undefined ? [] : againLeaves(again, part, role, codecOf),
  )
  const text = lost.length === 0 ? '' : JSON.stringify(written)
  return [
    ...lost.map(leaf => ({ ...leaf, why: reasonOf(leaf, part, text) })),
    ...renamedLeaves(part, place, codecOf).filter(({ path }) => !lost.some(leaf => leaf.path === path)),
  ]
}

/** The path of a tool name that the format would refuse. */
function renamedLeaves(
  part: Part,
  place: Place,
  codecOf: (format: Codec['format']) => Codec,
): readonly Lost[] {
  if (part.kind !== 'call' || part.native === undefined) return []
  const [before] = codecOf(part.native.format).parse(part.native.json, place)
  if (before?.kind !== 'call' || before.tool === part.tool) return []
  return leavesOf(part.native.json)
    .filter(({ value }) => value === before.tool || value === `tool-${before.tool}`)
    .slice(0, 1)
    .map(leaf => ({ ...leaf, why: 'reshaped' }))
}

/** The leaves that come back when a part is parsed in the other format and serialized in its own. */
function againLeaves(
  again: Part,
  part: Part,
  role: Role,
  codecOf: (format: Codec['format']) => Codec,
): readonly Leaf[] {
  if (part.native === undefined) return leavesOf(typed(again))
  const json = codecOf(part.native.format).serialize(again, role)
  return json === null ? [] : leavesOf(json)
}

/** A part without its native JSON. */
const typed = (part: Part): Json => stripped(part as unknown as JsonObject)

function stripped(json: Json): Json {
  if (Array.isArray(json)) return json.map(stripped)
  if (!isObject(json)) return json
  return Object.fromEntries(
    Object.entries(json)
      .filter(([key, value]) => key !== 'id' && key !== 'native' && key !== 'tool' && value !== undefined)
      .map(([key, value]) => [key, key === 'input' || key === 'value' ? value : stripped(value)]),
  )
}

function reasonOf({ path, value }: Leaf, part: Part, written: string): LossReason {
  if (isSealed(part, value)) return 'foreign-seal'
  if (part.kind === 'call' && value === part.inputText) return 'reshaped'
  const key = path.split('/').at(-1) ?? ''
  if (key === 'text' && isPassage(value, part, written)) return 'reshaped'
  const text = JSON.stringify(value)
  const isThere =
    typeof value === 'string'
      ? saysText(written, value)
      : written.includes(`"${key}":${text}`) || written.includes(`\\"${key}\\":${text}`)
  return isThere ? 'reshaped' : 'unsupported'
}

/** Whether a text is a passage of the part's whole text, as of summaries that were joined. */
const isPassage = (value: Json, part: Part, written: string) =>
  (part.kind === 'text' || part.kind === 'reasoning') &&
  typeof value === 'string' &&
  part.text.includes(value) &&
  written.includes(JSON.stringify(part.text))

/** Whether a text is there as a whole, once or twice quoted, or inside a longer one if it is too long for a coincidence. */
function saysText(written: string, value: string): boolean {
  const once = JSON.stringify(value)
  const twice = JSON.stringify(once).slice(1, -1)
  if (value.length < 8) return written.includes(once) || written.includes(twice)
  return written.includes(once.slice(1, -1)) || written.includes(twice.slice(2, -2))
}

const isSealed = ({ seal }: Part, value: Json) =>
  seal !== undefined && [seal.signature, seal.encrypted, seal.item].includes(value as string)
