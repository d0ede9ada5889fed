import { createEventCutter, readServerEvent } from '../../protocol/server-sent-events.ts'

const defaultLimit = 1 << 20
const name = 'data:'

/**
 * The payloads of a stream of server-sent events as lines, byte for byte, however the stream is split. Other fields
 * are dropped. A payload may be too long for memory: beyond the limit it is passed on in parts.
 */
export async function* eventLines(
  stream: AsyncIterable<Uint8Array>,
  limit = defaultLimit,
): AsyncGenerator<Uint8Array> {
  const cutter = createEventCutter()
  let beginning = ''
  let waiting = 0
  for await (const piece of stream) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    const events = cutter.add(bytes.toString('latin1'))
    for (const event of events) {
      yield payloadIn(beginning + event)
      beginning = ''
    }
    waiting = events.length > 0 ? 0 : waiting + piece.length
    if (waiting <= limit) continue
    const unfinished = unfinishedIn(beginning + cutter.rest())
    yield unfinished.payload
    beginning = unfinished.beginning
    cutter.add(unfinished.end)
    waiting = 0
  }
  const last = readServerEvent(beginning + cutter.rest())
  yield Buffer.from(last.data ?? '', 'latin1')
}

function payloadIn(event: string): Uint8Array {
  const { data } = readServerEvent(event)
  return Buffer.from(data === undefined ? '' : `${data}\n`, 'latin1')
}

/**
 * What can be passed on of an unfinished event, and the beginning of the rest. Its end is kept: line breaks belong to
 * what follows.
 */
function unfinishedIn(text: string) {
  let cut = text.length
  while (cut > 0 && isBreak(text[cut - 1])) cut -= 1
  cut = Math.max(0, cut - 1)
  const [known, end] = [text.slice(0, cut), text.slice(cut)]
  const line = Math.max(known.lastIndexOf('\n'), known.lastIndexOf('\r')) + 1
  const open = known.slice(line)
  // Until the field's name and the character after it are read, the kind of a line is unknown.
  if (open.length <= name.length) return { payload: payloadIn(known.slice(0, line)), beginning: open, end }
  if (!open.startsWith(name)) return { payload: payloadIn(known.slice(0, line)), beginning: ':', end }
  const { data = '' } = readServerEvent(known)
  return { payload: Buffer.from(data, 'latin1'), beginning: `${name} `, end }
}

const isBreak = (letter: string | undefined) => letter === '\n' || letter === '\r'
