import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { withPlugin } from './history-plugin.ts'
import { ownHistory } from './own-history.ts'

interface Message {
  readonly info: { readonly role: string; readonly sessionID: string }
  readonly parts: readonly object[]
}

type Plugin = () => Promise<{
  readonly 'experimental.chat.messages.transform': (
    _: object,
    output: { readonly messages: Message[] },
  ) => Promise<void>
}>

async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-opencode-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const tool = (callID: string, state: object) => ({ type: 'tool', callID, tool: 'read', state })
const thought = (text: string) => ({ type: 'reasoning', text })
const sent = (role: string, sessionID: string, ...parts: readonly object[]): Message => ({
  info: { role, sessionID },
  parts,
})

it('[X6] the plugin changes what a request sends, for the sessions that have a file', async () => {
  const folder = await dataFolder()
  const config = JSON.parse((await withPlugin('{"plugin":["mine"],"model":"a/b"}', folder)) ?? '') as {
    readonly plugin: readonly string[]
  }
  expect(config).toMatchObject({ model: 'a/b', plugin: ['mine', expect.stringMatching(/^file:/)] })
  const { Dragoman } = (await import(/* @vite-ignore */ config.plugin[1] ?? '')) as {
    readonly Dragoman: Plugin
  }
  const transform = (await Dragoman())['experimental.chat.messages.transform']
  const messages = (): Message[] => [
    sent('user', 'ses_1'),
    sent(
      'assistant',
      'ses_1',
      thought('old'),
      thought('kept'),
      tool('a', { status: 'completed', output: '1\n2' }),
    ),
    sent('assistant', 'ses_1', tool('b', { status: 'error', error: 'bad' })),
    sent('assistant', 'ses_2', tool('a', { status: 'completed', output: 'other' })),
    sent('user', 'ses_1'),
    sent('assistant', 'ses_1', thought('old'), tool('c', { status: 'running' })),
  ]
  const given = messages()
  await transform({}, { messages: given })
  expect(given).toEqual(messages())

  const history = await ownHistory.open({ agentSession: 'ses_1', dataFolder: folder })
  const edit = (call: string, keepLast: number) =>
    ({ call, how: 'replace', text: '[cleared]', keepFirst: 0, keepLast }) as const
  await history.write([edit('a', 1), edit('b', 0), edit('c', 0)], ['old'])
  await transform({}, { messages: given })
  expect(given).toEqual([
    sent('user', 'ses_1'),
    sent('assistant', 'ses_1', thought('kept'), tool('a', { status: 'completed', output: '[cleared]\n2' })),
    sent('assistant', 'ses_1', tool('b', { status: 'error', error: '[cleared]' })),
    ...messages().slice(3),
  ])
  await history.write([], [])
  const again = messages()
  await transform({}, { messages: again })
  expect(again).toEqual(messages())
})

it('[X6] a configuration that is not valid JSON stays unchanged, and then nothing is changed', async () => {
  const folder = await dataFolder()
  expect(await withPlugin('{ // mine\n}', folder)).toBe('{ // mine\n}')
  onTestFinished(() => void vi.unstubAllEnvs())
  const open = async () => ownHistory.open({ agentSession: 'ses_1', dataFolder: folder })
  vi.stubEnv('OPENCODE_CONFIG_CONTENT', '{ // mine\n}')
  await expect(open()).rejects.toThrow('not plain JSON')
  vi.stubEnv('OPENCODE_PURE', '1')
  await expect(open()).rejects.toThrow('disables plugins')
})

it('[X6] thinking is bound where the model checks it', () => {
  expect(ownHistory.thinking('anthropic/claude-opus')).toBe('bound')
  expect(ownHistory.thinking('openai/gpt')).toBe('free')
  expect(ownHistory.thinking(null)).toBe('free')
})
