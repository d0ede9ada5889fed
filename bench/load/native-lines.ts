import { createRandom, randomUuid } from './random.ts'
import { createWords } from './words.ts'

/** The type of the line with which a connection begins. */
export const opening = 'hello'

/**
 * Lines of the scripted agent on one connection, in the measure of a real one: about 300 bytes each, with the ids that
 * real agents put on every line; mostly small pieces of text and thinking, now and then a tool call and its result.
 */
export function createNativeLines(count: number, seed = 1): readonly string[] {
  const random = createRandom(seed)
  const words = createWords(random)
  const session = randomUuid(random)
  const lines: string[] = []
  const say = (type: string, body: object) => {
    const envelope = { session_id: session, parent_tool_use_id: null, uuid: randomUuid(random) }
    lines.push(JSON.stringify({ type, ...body, model: 'scripted-1', ...envelope }))
  }
  const key = (kind: string) => `${kind}_${randomUuid(random).replaceAll('-', '').slice(0, 24)}`
  const several = (most: number, one: () => void) => {
    for (let left = 1 + Math.floor(random() * most); left > 0; left--) one()
  }
  const few = () => `${words(4 + Math.floor(random() * 8))} `
  const piece = (type: 'text' | 'thinking', most: number) => {
    const own = key(type)
    several(most, () => say(type, { key: own, delta: few() }))
    say('end', { key: own })
  }

  say(opening, { session, version: '1', cwd: '/workspace' })
  while (lines.length < count) {
    say('begin', { prompt: key('prompt') })
    several(4, () => {
      piece('thinking', 20)
      piece('text', 40)
      callTool(say, key('toolu'), several, few, words(60 + Math.floor(random() * 200)))
      say('step-end', { tokens, cost: 0.01 })
    })
    say('done', { reason: 'finished', tokens, cost: 0.05, duration: 4000 })
  }
  return lines.slice(0, count)
}

const tokens = { input: 1200, output: 300, cacheRead: 9000, cacheWrite: 400 }

function callTool(
  say: (type: string, body: object) => void,
  call: string,
  several: (most: number, one: () => void) => void,
  few: () => string,
  output: string,
) {
  const tool = 'Bash'
  say('call', { call, tool })
  several(8, () => say('call-input', { call, delta: few() }))
  say('call-ready', { call, tool, input: { command: few() } })
  say('result', { call, output })
}
