import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { smallImage } from '../../../src/agents/scripted/small-image.ts'
import type { Json } from '../../../src/protocol/json.ts'
import type { FakeGemini, ModelAnswer, ModelRequest, Piece } from '../../../src/testing/fake-gemini.ts'
import { callsOf, wordsOf, type Stage } from '../stage.ts'
import type { GeminiHome } from './home.ts'

/** One scenario with Gemini CLI, and the script of its model. */
export interface Scenario {
  readonly model: (request: ModelRequest) => ModelAnswer
  readonly play: (scene: Scene) => Promise<void>
}

/** The setup of a scenario. */
export interface Scene {
  readonly home: GeminiHome
  readonly model: FakeGemini
  /** Connects; again for each further process. */
  readonly open: (resume?: string) => Promise<Stage>
}

const says = (...pieces: readonly Piece[]): ModelAnswer => ({ pieces })
const inOrder =
  (...answers: readonly ModelAnswer[]) =>
  ({ before }: ModelRequest): ModelAnswer =>
    answers[Math.min(before, answers.length - 1)] ?? says('ok')
const shell = (command: string): Piece => ({
  call: 'run_shell_command',
  args: { command, description: 'demo' },
})

/** Prompts, answers the first question, and waits for the end. */
async function askAndAnswer(stage: Stage, prompt: string, approved: boolean, input?: Json) {
  const asked = stage.until(chunk => chunk.type === 'tool-approval-request')
  const finished = stage.until(chunk => chunk.type === 'finish')
  await stage.say(prompt)
  const question = await asked
  assert.equal(question.type, 'tool-approval-request')
  if (question.type === 'tool-approval-request') await stage.answer(question.approvalId, approved, input)
  await finished
  const last = stage.messages().at(-1)
  assert.ok(last)
  return last.message
}

/** Gemini CLI, live. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  'text and a thought': {
    model: inOrder(says({ thought: '**Greeting**\nSay hello.' }, 'Good ', 'morning.')),
    async play({ open }) {
      await using stage = await open()
      const message = await stage.ask('Hello')
      assert.equal(wordsOf(message), 'Good morning.')
      const thoughts = message.parts.flatMap(part => (part.type === 'reasoning' ? [part.text] : []))
      assert.deepEqual(thoughts, ['**Greeting**\nSay hello.'])
      // The 5 tokens of the thought count, too.
      assert.deepEqual(message.metadata?.['tokens'], {
        input: 900,
        output: 15,
        cacheRead: 100,
        cacheWrite: 0,
      })
    },
  },
  'a tool, with its input and output from the chat file': {
    model: inOrder(
      says('Let me look. ', { call: 'read_file', args: { file_path: 'notes.txt' } }),
      says('Two lines.'),
    ),
    async play({ open }) {
      await using stage = await open()
      const message = await stage.ask('Read it')
      const [call] = callsOf(message)
      assert.equal(call?.toolName, 'read_file')
      assert.deepEqual(call.input, { file_path: 'notes.txt' })
      assert.match(JSON.stringify(call), /alpha\\nbeta/)
      assert.equal(wordsOf(message), 'Let me look. Two lines.')
    },
  },
  'tools that fail, and one that does not exist': {
    model: inOrder(
      says(
        { call: 'read_file', args: { file_path: 'none.txt' } },
        { call: 'read_file', args: { wrong: 1 } },
        { call: 'no_such_tool', args: { a: 1 } },
      ),
      says('Nothing.'),
    ),
    async play({ open }) {
      await using stage = await open()
      const calls = callsOf(await stage.ask('Read it'))
      assert.deepEqual(
        calls.map(({ state }) => state),
        ['output-error', 'output-error', 'output-error'],
      )
      assert.ok(calls.some(({ toolName }) => toolName === 'no_such_tool'))
    },
  },
  'parallel tools': {
    model: inOrder(
      says(
        { call: 'read_file', args: { file_path: 'notes.txt' } },
        { call: 'list_directory', args: { dir_path: '.' } },
      ),
      says('Both.'),
    ),
    async play({ open }) {
      await using stage = await open()
      const calls = callsOf(await stage.ask('Read and list'))
      assert.deepEqual(calls.map(({ toolName }) => toolName).toSorted(), ['list_directory', 'read_file'])
      assert.match(JSON.stringify(calls), /notes\.txt.*alpha/s)
    },
  },
  'an approval that is given': {
    model: inOrder(says(shell('mkdir made && ls -d made')), says('Made.')),
    async play({ open, home }) {
      await using stage = await open()
      const message = await askAndAnswer(stage, 'Make it', true)
      assert.ok(existsSync(join(home.cwd, 'made')))
      assert.match(
        JSON.stringify(callsOf(message)[0]),
        /"command":"mkdir made.*output-available|output-available.*made/s,
      )
      assert.equal(wordsOf(message), 'Made.')
    },
  },
  'an approval that is refused': {
    model: inOrder(says(shell('mkdir made')), says('Then not.')),
    async play({ open, home }) {
      await using stage = await open()
      const message = await askAndAnswer(stage, 'Make it', false)
      assert.ok(!existsSync(join(home.cwd, 'made')))
      assert.equal(callsOf(message)[0]?.state, 'output-error')
    },
  },
  'a file that is written, with its diff': {
    model: inOrder(
      says({ call: 'write_file', args: { file_path: 'new.txt', content: 'created\n' } }),
      says('Done.'),
    ),
    async play({ open, home }) {
      await using stage = await open()
      const message = await askAndAnswer(stage, 'Write', true)
      assert.ok(existsSync(join(home.cwd, 'new.txt')))
      assert.match(JSON.stringify(callsOf(message)[0]), /"type":"diff"/)
    },
  },
  'a broken stream that is tried again': {
    model: inOrder({ pieces: ['one ', 'two '], unfinished: true }, says('second ', 'attempt.')),
    async play({ open }) {
      await using stage = await open()
      const message = await stage.ask('Tell')
      assert.equal(wordsOf(message), 'second attempt.')
    },
  },
  'an error of the model': {
    model: () => ({
      status: 400,
      body: { error: { code: 400, message: 'Rejected.', status: 'INVALID_ARGUMENT' } },
    }),
    async play({ open }) {
      await using stage = await open()
      const message = await stage.ask('Hello')
      assert.equal(message.metadata?.['reason'], 'failed')
      assert.match(JSON.stringify(message.metadata), /Rejected\./)
    },
  },
  'an interrupt in a text': {
    model: inOrder(says('one ', { wait: 200 }, 'two ', { hang: true }), says('Still here.')),
    async play({ open }) {
      await using stage = await open()
      const finished = stage.until(chunk => chunk.type === 'finish')
      await stage.say('Tell a story')
      await stage.until(chunk => chunk.type === 'text-delta', true)
      await stage.connection.interrupt()
      await finished
      assert.equal(stage.messages().at(-1)?.message.metadata?.['reason'], 'interrupted')
      assert.equal(wordsOf(await stage.ask('Still there?')), 'Still here.')
    },
  },
  'an interrupt in a tool': {
    model: inOrder(says(shell('sleep 30 && mkdir never')), says('Still here.')),
    async play({ open }) {
      await using stage = await open()
      const asked = stage.until(chunk => chunk.type === 'tool-approval-request')
      const finished = stage.until(chunk => chunk.type === 'finish')
      await stage.say('Sleep')
      const question = await asked
      if (question.type === 'tool-approval-request') await stage.answer(question.approvalId, true)
      await sleep(1_500)
      await stage.connection.interrupt()
      await finished
      const last = stage.messages().at(-1)?.message
      assert.equal(last?.metadata?.['reason'], 'interrupted')
    },
  },
  'an image': {
    model: inOrder(says('A dot.')),
    async play({ open, model }) {
      await using stage = await open()
      await stage.ask([
        { type: 'text', text: 'What is it?' },
        { type: 'file', ...smallImage },
      ])
      assert.ok(JSON.stringify(model.requests.at(-1)?.body).includes('"inlineData":{"data":"iVBOR'))
    },
  },
  'a session that another process picks up': {
    model: inOrder(says('I will remember 7.'), says('It was 7.')),
    async play({ open, model }) {
      let session: string | null = null
      {
        await using stage = await open()
        await stage.ask('Remember 7')
        session = stage.agentSession
      }
      // It would wait for the next minute itself, but longer than the test does.
      await sleep(60_000 - (Date.now() % 60_000))
      await using stage = await open(session ?? undefined)
      assert.equal(wordsOf(await stage.ask('Which number?')), 'It was 7.')
      assert.equal(stage.messages().length, 1)
      assert.match(JSON.stringify(model.requests.at(-1)?.body), /I will remember 7/)
    },
  },
}
