import { equal, deepEqual, match, ok } from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Chunk } from '../../../src/protocol/chunk.ts'
import type { Json } from '../../../src/protocol/json.ts'
import type { Block, ModelAnswer, ModelRequest } from '../../../src/testing/fake-anthropic.ts'
import { setStage, type Talk } from './stage.ts'
import { says, textIn } from './words.ts'

const call = (id: string, name: string, input: Json): Block => ({ type: 'call', call: id, name, input })
const calls = (...blocks: readonly Block[]): ModelAnswer => ({ blocks })
const bash = (id: string, command: string) => call(id, 'Bash', { command, description: 'Do it' })

/** First the calls, then, when their results have come, a text. */
const then = (first: ModelAnswer, last: ModelAnswer) => (request: ModelRequest) =>
  request.results === 0 ? first : last

function outputOf(
  talk: Talk,
  id: string,
): Extract<Chunk, { type: 'tool-output-available' | 'tool-output-error' }> {
  const found = talk.said.find(
    ({ chunk }) =>
      (chunk.type === 'tool-output-available' || chunk.type === 'tool-output-error') &&
      chunk.toolCallId === id,
  )?.chunk
  if (found?.type === 'tool-output-available' || found?.type === 'tool-output-error') return found
  throw new Error(`Call ${id} has no result.`)
}

/** Tool calls, and the answers of a person to them. */
export const tools: Readonly<Record<string, () => Promise<void>>> = {
  async 'parallel tools, one fails'() {
    await using stage = await setStage(request =>
      then(
        calls(
          call('toolu_A', 'Read', { file_path: join(stage.cwd, 'there.txt') }),
          call('toolu_B', 'Read', { file_path: join(stage.cwd, 'missing.txt') }),
        ),
        says('Done.'),
      )(request),
    )
    writeFileSync(join(stage.cwd, 'there.txt'), 'It is there.\n')
    const talk = await stage.talk()
    await talk.prompt('Read.')
    equal((await talk.untilFinish()).finishReason, 'stop')
    match(JSON.stringify(outputOf(talk, 'toolu_A')), /It is there/)
    equal(outputOf(talk, 'toolu_B').type, 'tool-output-error')
  },

  async 'approval: allowed'() {
    await using stage = await setStage(then(calls(bash('toolu_A', 'touch made && echo yes')), says('Done.')))
    const talk = await stage.talk()
    await talk.prompt('Make it.')
    await talk.answer({})
    await talk.untilFinish()
    ok(existsSync(join(stage.cwd, 'made')))
    match(JSON.stringify(outputOf(talk, 'toolu_A')), /yes/)
  },

  async 'approval: denied'() {
    await using stage = await setStage(then(calls(bash('toolu_A', 'touch made')), says('I see.')))
    const talk = await stage.talk()
    await talk.prompt('Make it.')
    await talk.answer({ approved: false, reason: 'Not today.' })
    await talk.untilFinish()
    ok(!existsSync(join(stage.cwd, 'made')))
    match(JSON.stringify(outputOf(talk, 'toolu_A')), /Not today/)
    equal(textIn(talk), 'I see.')
  },

  async 'approval: changed input'() {
    await using stage = await setStage(then(calls(bash('toolu_A', 'touch made')), says('Done.')))
    const talk = await stage.talk()
    await talk.prompt('Make it.')
    const input = { command: 'touch changed', description: 'Do it' }
    await talk.answer({ input })
    await talk.untilFinish()
    ok(existsSync(join(stage.cwd, 'changed')) && !existsSync(join(stage.cwd, 'made')))
    const inputs = talk.said.flatMap(({ chunk }) =>
      chunk.type === 'tool-input-available' ? [chunk.input] : [],
    )
    deepEqual(inputs.at(-1), input)
  },

  async 'approval: always'() {
    const command = 'touch made && echo yes'
    await using stage = await setStage(({ results }) =>
      results < 2 ? calls(bash(`toolu_${results}`, command)) : says('Done.'),
    )
    const talk = await stage.talk()
    await talk.prompt('Make it twice.')
    await talk.answer({ always: true })
    await talk.untilFinish()
    const asked = talk.said.filter(({ chunk }) => chunk.type === 'tool-approval-request')
    equal(asked.length, 1)
    match(JSON.stringify(outputOf(talk, 'toolu_1')), /yes/)
  },

  async question() {
    const questions = [
      {
        question: 'Which colour?',
        header: 'Colour',
        multiSelect: false,
        options: [
          { label: 'Red', description: 'Warm' },
          { label: 'Blue', description: 'Cold' },
        ],
      },
    ]
    await using stage = await setStage(
      then(calls(call('toolu_A', 'AskUserQuestion', { questions })), says('Fine.')),
    )
    const talk = await stage.talk()
    await talk.prompt('Ask me.')
    await talk.answer({ input: { answers: { 'Which colour?': 'Blue' } } })
    await talk.untilFinish()
    match(JSON.stringify(outputOf(talk, 'toolu_A')), /Blue/)
  },

  async plan() {
    await using stage = await setStage(
      then(calls(call('toolu_A', 'ExitPlanMode', { plan: '1. Read\n2. Write' })), says('I begin.')),
    )
    const talk = await stage.talk({ options: { permissionMode: 'plan' } })
    await talk.prompt('Plan it.')
    await talk.answer({})
    equal((await talk.untilFinish()).finishReason, 'stop')
    equal(outputOf(talk, 'toolu_A').type, 'tool-output-available')
  },

  async subagent() {
    const helper = { description: 'Help', subagent_type: 'general-purpose', run_in_background: false }
    await using stage = await setStage(({ first, results }) => {
      if (first.includes('SUBTASK')) return says('The helper speaks.')
      return results === 0
        ? calls(call('toolu_A', 'Agent', { ...helper, prompt: 'SUBTASK: look.' }))
        : says('It is done.')
    })
    const talk = await stage.talk()
    await talk.prompt('Send someone.')
    await talk.untilFinish()
    const inside = talk.said.filter(({ thread }) => thread === 'toolu_A')
    match(JSON.stringify(inside), /The helper speaks/)
    equal(textIn(talk), 'It is done.')
    const news = talk.said.flatMap(({ chunk }) => (chunk.type === 'data-subagent' ? [chunk.data] : []))
    equal(news.at(-1)?.status, 'completed')
  },

  async 'subagents inside each other, and a question of the inner one'() {
    const helper = { description: 'Help', subagent_type: 'general-purpose', run_in_background: false }
    const send = (id: string, prompt: string) => calls(call(id, 'Agent', { ...helper, prompt }))
    await using stage = await setStage(({ first, results }) => {
      if (first.includes('INNER'))
        return results === 0 ? calls(bash('toolu_C', 'touch deep')) : says('Inner.')
      if (first.includes('OUTER')) return results === 0 ? send('toolu_B', 'INNER') : says('Outer.')
      return results === 0 ? send('toolu_A', 'OUTER') : says('Main.')
    })
    const talk = await stage.talk()
    await talk.prompt('Send someone.')
    await talk.answer({})
    await talk.untilFinish()
    ok(existsSync(join(stage.cwd, 'deep')))
    const texts = talk.said.flatMap(({ thread, chunk }) =>
      chunk.type === 'text-delta' ? [[thread, chunk.delta]] : [],
    )
    deepEqual(Object.fromEntries(texts), { null: 'Main.', toolu_A: 'Outer.', toolu_B: 'Inner.' })
  },

  async 'long output, and a picture'() {
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    await using stage = await setStage(request => {
      const read = call('toolu_B', 'Read', { file_path: join(stage.cwd, 'a.png') })
      return then(calls(bash('toolu_A', 'mkdir -p x; seq 1 200000'), read), says('Done.'))(request)
    })
    writeFileSync(join(stage.cwd, 'a.png'), Buffer.from(pixel, 'base64'))
    const talk = await stage.talk()
    await talk.prompt('Go.')
    await talk.answer({})
    await talk.untilFinish()
    match(JSON.stringify(outputOf(talk, 'toolu_A')), /tool-results/)
    equal(talk.said.filter(({ chunk }) => chunk.type === 'file').length, 1)
  },

  async 'subagent in the background reports back'() {
    const helper = { description: 'Help', subagent_type: 'general-purpose' }
    await using stage = await setStage(({ first, last, results }) => {
      if (first.includes('SUBTASK')) return says({ wait: 1_000 }, 'The helper speaks.')
      if (last.includes('task-notification')) return says('The helper is back.')
      return results === 0
        ? calls(call('toolu_A', 'Agent', { ...helper, prompt: 'SUBTASK: look.' }))
        : says('It is at work.')
    })
    const talk = await stage.talk()
    await talk.prompt('Send someone.')
    await talk.untilFinish()
    await talk.untilFinish()
    equal(textIn(talk), 'It is at work.The helper is back.')
  },
}
