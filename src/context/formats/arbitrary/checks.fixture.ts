import { isObject, type Json } from '../../../protocol/json.ts'
import type { Conversation, Format, Loss, Part } from '../conversation.ts'
import { leavesOf } from '../leaves.ts'
import { parsed } from '../look.ts'
import { findInvalid, read } from '../read.ts'
import { receive, send, type Sent } from '../send.ts'
import { write } from '../write.ts'

/** What a provider refuses in an unfinished document; in its own format it stays as it is. */
export const isUnfinished = (fault: string): boolean =>
  /^There (are no messages|are no contents|is no input)\.$/.test(fault) ||
  /^There are \d+ cache marks, but only 4 are allowed\.$/.test(fault) ||
  fault === 'The last text of the assistant ends with white space.'

/** The faults of one document and its round trip through another format; empty when there are none. */
export function faultsOf(from: Format, to: Format, json: Json): readonly string[] {
  const bytes = JSON.stringify(json)
  const conversation = read(from, json)
  const before = JSON.stringify(conversation)
  const sent = send(conversation, to)
  const same = write(conversation, from)
  const again = read(to, sent.json)
  const twice = write(again, to)
  const back = write(receive(JSON.parse(JSON.stringify(sent.json)) as Json, sent), from)
  return [
    ...wrong(
      'the generator',
      findInvalid(from, json).filter(fault => !isUnfinished(fault)),
    ),
    ...(JSON.stringify(same.json) === bytes ? [] : ['the same format is not byte-equal']),
    ...(same.losses.length === 0 ? [] : ['the same format lost something']),
    ...refused(from, json, sent),
    ...unmended(from, conversation),
    ...(JSON.stringify(back.json) === bytes ? [] : ['there and back is not byte-equal']),
    ...(JSON.stringify(conversation) === before ? [] : ['the conversation was changed']),
    ...(JSON.stringify(twice.json) === JSON.stringify(sent.json) ? [] : ['written twice is not the same']),
    ...unaccounted(conversation, sent.json, sent.losses),
  ]
}

/** The faults of the output for a document that no provider would accept. */
export function wildFaultsOf(from: Format, to: Format, json: Json): readonly string[] {
  const conversation = read(from, json)
  const sent = send(conversation, to)
  const { json: written, losses } = sent
  const twice = write(read(to, written), to)
  return [
    ...refused(from, json, sent),
    ...(JSON.stringify(twice.json) === JSON.stringify(written) ? [] : ['written twice is not the same']),
    ...(from === to
      ? unmended(from, conversation)
      : unaccounted(conversation, written, losses).filter(fault => fault.startsWith('not'))),
  ]
}

const wrong = (who: string, faults: readonly string[]) => faults.map(fault => `${who}: ${fault}`)

/** What the provider would refuse in the output; in its own format a document may stay unfinished, byte for byte. */
function refused(from: Format, json: Json, sent: Sent): readonly string[] {
  const faults = findInvalid(sent.format, sent.json)
  const isAsItCame = from === sent.format && JSON.stringify(sent.json) === JSON.stringify(json)
  return wrong('what was written', isAsItCame ? faults.filter(fault => !isUnfinished(fault)) : faults)
}

/** What the provider would refuse in a conversation from the compiler: with native parts, but without a native document. */
const unmended = (format: Format, { system, messages }: Conversation) =>
  wrong('what was compiled', findInvalid(format, write({ system, messages }, format).json))

/** Keys whose values differ between formats. */
const structure = /(^|\/)(type|role|state|status|thought|is_error)$/

/** Every leaf is in the output or in the report, and no leaf with a unique text is in both. */
function unaccounted(conversation: Conversation, written: Json, losses: readonly Loss[]): readonly string[] {
  const lost = new Map(losses.map(({ message, part, path, why }) => [`${message} ${part} ${path}`, why]))
  const text = JSON.stringify(written)
  return sources(conversation).flatMap(({ message, part, json }) =>
    leavesOf(json).flatMap(({ path, value }) => {
      const why = lost.get(`${message} ${part} ${path}`)
      const isThere = says(text, value)
      if (why === undefined && !isThere && !structure.test(path) && !isEmptied(value))
        return [`not accounted: ${message} ${part} ${path} ${JSON.stringify(value)}`]
      const isUnique = typeof value === 'string' && /w[a-z0-9]{9,}/.test(value)
      return isUnique && isThere && why !== undefined && why !== 'reshaped'
        ? [`reported lost (${why}) and there: ${message} ${part} ${path} ${JSON.stringify(value)}`]
        : []
    }),
  )
}

interface Source {
  readonly message: string | null
  readonly part: string | null
  readonly json: Json
}

/** All native JSON of a conversation, with its place. */
function sources({ system, messages, native }: Conversation): readonly Source[] {
  const ofParts = (parts: readonly Part[], message: string | null) =>
    parts.flatMap(part => (part.native ? [{ message, part: part.id, json: part.native.json }] : []))
  return [
    ...(native ? [{ message: null, part: null, json: native.json }] : []),
    ...ofParts(system, null),
    ...messages.flatMap(message => [
      ...(message.native ? [{ message: message.id, part: null, json: message.native.json }] : []),
      ...ofParts(message.parts, message.id),
    ]),
  ]
}

/** The empty values that readers leave. */
const isEmptied = (value: Json) =>
  value === '' || value === null || (typeof value === 'object' && Object.keys(value).length === 0)

/** Whether a text contains a value: as it is, or inside a text of JSON once or twice. */
function says(text: string, value: Json): boolean {
  // A file at an address is a PDF in formats without media types.
  if (value === 'application/pdf') return true
  const pieces = typeof value === 'string' ? piecesOf(value) : [value]
  if (pieces.length !== 1 || pieces[0] !== value) return pieces.every(piece => says(text, piece))
  const once = JSON.stringify(value)
  const bare = typeof value === 'string' ? once.slice(1, -1) : once
  const twice = JSON.stringify(bare).slice(1, -1)
  const thrice = JSON.stringify(twice).slice(1, -1)
  return text.includes(bare) || text.includes(twice) || text.includes(thrice)
}

/** Values that a format may split: data and type of a file, paragraphs, arguments that are JSON. */
function piecesOf(value: string): readonly Json[] {
  const [, mediaType, data] = /^data:([^;]+);base64,(.+)$/.exec(value) ?? []
  if (data !== undefined && mediaType !== undefined) return [data, mediaType]
  if (value.startsWith('audio/')) return [value.slice(6)]
  if (value.includes('\n\n')) return value.split('\n\n')
  const inner = value.startsWith('{') ? parsed(value) : undefined
  return isObject(inner) ? leavesOf(inner).map(leaf => leaf.value) : [value]
}
