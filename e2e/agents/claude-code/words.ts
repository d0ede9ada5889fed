import { equal, deepEqual, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Block, ModelAnswer, Piece } from '../../../src/testing/fake-anthropic.ts'
import { setStage, type Talk } from './stage.ts'

/** A block of text. */
export const text = (...pieces: readonly Piece[]): Block => ({
  type: 'text',
  pieces,
})

/** An answer of one text. */
export const says = (...pieces: readonly Piece[]): ModelAnswer => ({
  blocks: [text(...pieces)],
})

/** The text of the main thread. */
export function textIn({ said }: Talk): string {
  return said
    .map(({ thread, chunk }) => (thread === null && chunk.type === 'text-delta' ? chunk.delta : ''))
    .join('')
}

const typesIn = ({ said }: Talk) => said.map(({ chunk }) => chunk.type)
const metadataOf = ({
  messageMetadata = {},
}: {
  readonly messageMetadata?: Readonly<Record<string, unknown>>
}) => messageMetadata

/** Answers of the model, also when its service fails. */
export const words: Readonly<Record<string, () => Promise<void>>> = {
  async text() {
    await using stage = await setStage(() => says('Hello, ', 'you.'))
    const talk = await stage.talk()
    await talk.prompt('Say hello.')
    const finish = await talk.untilFinish()
    equal(textIn(talk), 'Hello, you.')
    equal(finish.finishReason, 'stop')
    deepEqual(metadataOf(finish)['tokens'], { input: 1000, output: 20, cacheRead: 7, cacheWrite: 3 })
    ok(Number(metadataOf(finish)['cost']) > 0)
  },

  async thinking() {
    const thinking: Block = { type: 'thinking', pieces: ['Let me ', 'think.'] }
    await using stage = await setStage(() => ({ blocks: [thinking, text('Done.')] }))
    const talk = await stage.talk()
    await talk.prompt('Think.')
    await talk.untilFinish()
    const thought = talk.said.flatMap(({ chunk }) => (chunk.type === 'reasoning-delta' ? [chunk.delta] : []))
    equal(thought.join(''), 'Let me think.')
    equal(textIn(talk), 'Done.')
  },

  async 'two prompts'() {
    await using stage = await setStage(({ last }) => says(last.includes('two') ? 'second' : 'first'))
    const talk = await stage.talk()
    await talk.prompt('one')
    await talk.untilFinish()
    await talk.prompt('two')
    await talk.untilFinish()
    equal(textIn(talk), 'firstsecond')
  },

  async 'long stream, cut inside characters'() {
    const smile = '\u{1F600}'
    const pieces = Array.from({ length: 2_000 }, (_, at) => (at % 2 === 0 ? `w${at} ` : smile))
    await using stage = await setStage(() => says(...pieces))
    const talk = await stage.talk()
    await talk.prompt('Talk.')
    await talk.untilFinish()
    equal(textIn(talk), pieces.join(''))
  },

  async 'image in the prompt'() {
    const image =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    await using stage = await setStage(() => says('A dot.'))
    const talk = await stage.talk()
    const url = `data:image/png;base64,${image}`
    await talk.prompt([
      { type: 'text', text: 'What is this?' },
      { type: 'file', url, mediaType: 'image/png' },
    ])
    await talk.untilFinish()
    match(stage.model.requests[0]?.last ?? '', /"type":"image"/)
  },

  async 'error of the service'() {
    await using stage = await setStage(() => ({ status: 401, kind: 'authentication_error', message: 'No.' }))
    const talk = await stage.talk()
    await talk.prompt('Hello.')
    const finish = await talk.untilFinish()
    equal(finish.finishReason, 'error')
    match(JSON.stringify(metadataOf(finish)['error']), /authentication_error/)
    ok(typesIn(talk).includes('error'))
    equal(textIn(talk), '')
  },

  async 'service overloaded, then well'() {
    await using stage = await setStage(({ before }) =>
      before === 0 ? { status: 529, kind: 'overloaded_error', message: 'Busy.' } : says('Here I am.'),
    )
    const talk = await stage.talk()
    await talk.prompt('Hello.')
    equal((await talk.untilFinish()).finishReason, 'stop')
    match(JSON.stringify(talk.said), /"code":"retry"/)
  },

  async 'stream broken, then again'() {
    for (const end of ['dropped', 'failed'] as const) {
      await using stage = await setStage(({ before }) =>
        before === 0 ? says('Half an ans', { wait: 100 }, { end }) : says('A whole answer.'),
      )
      const talk = await stage.talk()
      await talk.prompt('Hello.')
      equal((await talk.untilFinish()).finishReason, 'stop')
      ok(typesIn(talk).includes('data-retracted'), end)
      ok(textIn(talk).endsWith('A whole answer.'))
    }
  },

  async 'same prompt twice'() {
    await using stage = await setStage(() => says('Once.'))
    const id = randomUUID()
    const talk = await stage.talk()
    await talk.prompt('Say it.', id)
    await talk.untilFinish()
    await talk.prompt('Say it.', id)
    await talk.untilFinish()
    equal(textIn(talk), 'Once.')
    match(JSON.stringify(talk.said), /prompt-repeated/)
    equal(stage.model.requests.length, 1)
  },
}
