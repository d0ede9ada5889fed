import { describe, expect, it } from 'vitest'
import { ruleOffer } from '../../protocol/rule-scope.ts'
import type { Fields } from '../kit/fields.ts'
import { partsOf } from '../kit/lossless.fixture.ts'
import {
  asks,
  begins,
  command,
  completes,
  translated,
  translatedRecording,
  inTurn,
  linesOf,
  ours,
  sums,
  text,
  notification,
  turnBegins,
  turnEnds,
  type Translated,
} from './talk.fixture.ts'

const calls = (result: Translated) => partsOf(result, 'dynamic-tool')
const writes = (itemId: string, delta: string, at = 0) =>
  notification('item/commandExecution/outputDelta', { itemId, delta }, at)
const done = (id: string, aggregatedOutput: string) =>
  completes(command(id, { status: 'completed', aggregatedOutput, exitCode: 0, durationMs: 9 }))
const outputs = (result: Translated) =>
  result.main.flatMap(chunk => (chunk.type === 'tool-output-available' ? [chunk] : []))

describe('approvals of calls', () => {
  const asked = (result: Translated) =>
    result.main.flatMap(chunk => (chunk.type === 'tool-input-available' ? [chunk] : []))
  const request = (id: number, more: Fields) =>
    asks(id, 'item/commandExecution/requestApproval', { itemId: 'c', command: 'ls', cwd: '/w', ...more })

  it('[S10] a second request for the same item with more permissions is a separate approval', () => {
    const permissions = { network: { enabled: true } }
    const result = inTurn(
      begins(command('c')),
      request(0, { reason: 'First' }),
      request(1, { reason: 'Second', additionalPermissions: permissions }),
      request(2, { reason: 'Third' }),
    )
    const offers = asked(result)
      .slice(-3)
      .map(chunk => ruleOffer(chunk).rule?.input)
    expect(offers[0]).toEqual(offers[2])
    expect(offers[1]).toEqual({ ...(offers[0] as Fields), additionalPermissions: permissions })
    expect(result.main.filter(({ type }) => type === 'tool-approval-request')).toHaveLength(3)
  })

  it('[S10] no rule covers a patch, a command or a folder that was not shown, however often it is requested', () => {
    const patch = (id: number, more: Fields) =>
      asks(id, 'item/fileChange/requestApproval', { itemId: 'f', ...more })
    const unseen = [
      inTurn(patch(0, {}), patch(1, { grantRoot: '/' })),
      inTurn(begins({ type: 'fileChange', id: 'f', changes: [] }), patch(0, { grantRoot: '/' })),
      inTurn(request(0, { command: null }), request(1, { command: null, kind: 'network' })),
      inTurn(request(0, { cwd: null })),
    ]
    for (const result of unseen)
      expect(asked(result).slice(-1).map(ruleOffer)).toMatchObject([{ rule: null }])
  })

  it('[S10] a request for a finished item is shown with its own input', () => {
    const result = inTurn(begins(command('c')), done('c', ''), request(0, { command: 'rm -rf /' }))
    const [approval] = result.main.flatMap(chunk => (chunk.type === 'tool-approval-request' ? [chunk] : []))
    expect(asked(result).at(-1)).toMatchObject({
      toolCallId: approval?.toolCallId,
      input: { command: 'rm -rf /', cwd: '/w' },
    })
  })

  it('[S10] a request for another command or folder than the item shows both, and no rule covers it', () => {
    for (const more of [{ command: 'rm -rf /' }, { cwd: '/precious' }]) {
      const result = inTurn(begins(command('c')), request(0, more))
      const shown = asked(result).at(-1)
      expect(shown).toMatchObject({
        input: more,
        providerMetadata: { dragoman: { earlierInput: { command: 'ls', cwd: '/w' } } },
      })
      expect(shown && ruleOffer(shown).rule).toBeNull()
    }
  })

  it('[S10] a request for a patch without an item cannot be always allowed', () => {
    const result = inTurn(asks(0, 'item/fileChange/requestApproval', { itemId: 'p', grantRoot: '/' }))
    const shown = asked(result).at(-1)
    expect(shown && ruleOffer(shown).rule).toBeNull()
  })
})

describe('commands', () => {
  it('[P3] show their output while they run, and all of it at the end, which alone has the beginning', () => {
    const result = inTurn(begins(command('c')), writes('c', 'two\n'), done('c', 'one\ntwo\n'))
    expect(outputs(result)).toMatchObject([
      { preliminary: true, output: { output: 'two\n' } },
      { output: { output: 'one\ntwo\n', exitCode: 0, status: 'completed' } },
    ])
    expect(calls(result)).toMatchObject([
      { toolCallId: 'c', toolName: 'commandExecution', input: { command: 'ls', cwd: '/w' } },
    ])
  })

  it('[R4] showing much output does not cost much more than the output itself', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => writes('c', `line ${index}\n`, index / 100))
    const said = JSON.stringify(translated(turnBegins(), begins(command('c')), ...lines).chunks)
    expect(said.length).toBeLessThan(10 * lines.length * 'line 00000\n'.length)
    const slow = [writes('c', 'x'.repeat(9_000), 0), writes('c', '.', 10), writes('c', '.', 400)]
    expect(outputs(translated(turnBegins(), begins(command('c')), ...slow))).toHaveLength(2)
  })

  it('[P3] that Codex reports as failed are errors, with their output and exit code', () => {
    const failed = command('c', { status: 'failed', aggregatedOutput: 'no', exitCode: 3 })
    const stopped = command('d', { status: 'failed', aggregatedOutput: null, exitCode: null })
    const result = inTurn(begins(command('c')), completes(failed), completes(stopped))
    expect(calls(result)).toMatchObject([
      { state: 'output-error', errorText: 'no\nExit code 3.' },
      { state: 'output-error', errorText: 'It failed.' },
    ])
  })

  it('[P3] that outlive their turn get their result when they end, also during a newer answer', () => {
    const result = translated(
      turnBegins(),
      begins(command('c')),
      turnEnds(),
      writes('c', 'late '),
      turnBegins('V'),
      done('c', 'late result'),
      text('a', 'Next.', { turnId: 'V' }),
      turnEnds('completed', {}, 'V'),
    )
    expect(result.messages).toHaveLength(2)
    expect(result.messages[0]?.message.parts).toContainEqual(
      expect.objectContaining({ toolCallId: 'c', state: 'output-available' }),
    )
    expect(calls(translatedRecording('background-after-turn'))).toMatchObject([{ state: 'output-available' }])
  })

  it('[P3] that were stopped keep their output, and may still end', () => {
    const cut = [turnBegins(), begins(command('c')), writes('c', 'begun'), turnEnds('interrupted')]
    expect(calls(translated(...cut))).toMatchObject([
      { state: 'output-error', errorText: 'begun\nStopped before it ended.' },
    ])
    const late = translated(...cut, writes('c', '!'), done('c', 'begun, done'))
    expect(calls(late)).toMatchObject([{ state: 'output-available', output: { exitCode: 0 } }])
    expect(calls(translatedRecording('interrupt-command-terminate'))).toMatchObject([
      { state: 'output-error' },
    ])
  })

  it('[P3] keep the text that was typed into them', () => {
    const typed = notification('item/commandExecution/terminalInteraction', { itemId: 'c', stdin: 'yes\n' })
    expect(calls(inTurn(begins(command('c')), typed, done('c', 'ok')))).toMatchObject([
      { output: { stdin: ['yes\n'] } },
    ])
  })

  it('[P3] continue after the end of a step', () => {
    const result = inTurn(begins(command('c')), sums(1, 1), writes('c', 'x'), done('c', 'x'))
    expect(calls(result)).toMatchObject([{ state: 'output-available' }])
  })
})

describe('other calls', () => {
  it('[P2] a patch is shown while it is written, and then with absolute paths', () => {
    const changes = (path: string) => [{ path, kind: { type: 'add' }, diff: '+a' }]
    const item = { type: 'fileChange', id: 'p', changes: changes('/w/a'), status: 'inProgress' }
    const streamed = notification('item/fileChange/patchUpdated', { itemId: 'p', changes: changes('a') })
    const result = inTurn(streamed, begins(item), completes({ ...item, status: 'completed' }))
    const inputs = result.main.flatMap(chunk => (chunk.type === 'tool-input-available' ? [chunk.input] : []))
    expect(inputs).toEqual([{ changes: changes('a') }, { changes: changes('/w/a') }])
    expect(calls(result)).toMatchObject([{ toolName: 'fileChange', output: { status: 'completed' } }])
    expect(calls(inTurn(streamed))).toMatchObject([{ errorText: 'It ended without a result.' }])
    expect(calls(inTurn(begins(item), completes({ ...item, status: 'failed' })))).toMatchObject([
      { errorText: 'The patch was not applied.' },
    ])
  })

  it('[P2] tools of MCP servers and of the host keep their own names', () => {
    const mcp = { type: 'mcpToolCall', id: 'm', server: 'lab', tool: 'add', arguments: { a: 1 } }
    const boom = { ...mcp, id: 'n', status: 'failed', result: { content: [{ type: 'text', text: 'boom' }] } }
    const host = { type: 'dynamicToolCall', id: 'h', tool: 'look', namespace: 'own', arguments: {} }
    const result = inTurn(
      begins(mcp),
      notification('item/mcpToolCall/progress', { itemId: 'm', message: 'half' }),
      completes({ ...mcp, status: 'completed', result: { content: [], structuredContent: { sum: 2 } } }),
      completes(boom),
      completes({ ...host, success: false, contentItems: [{ type: 'inputText', text: 'none' }] }),
    )
    expect(calls(result)).toMatchObject([
      { toolName: 'mcp__lab__add', input: { a: 1 }, output: { structuredContent: { sum: 2 } } },
      { toolName: 'mcp__lab__add', errorText: 'boom' },
      { toolName: 'own__look', errorText: 'none' },
    ])
  })

  it('[P2] a search is shown with its query, and a picture is shown', () => {
    const search = { type: 'webSearch', id: 's', query: '' }
    const base64 = 'iVBORw0KGgoAAAA'
    const result = inTurn(
      begins(search),
      completes({ ...search, query: 'weather', action: { type: 'search' }, results: [{ url: 'x' }] }),
      completes({ type: 'imageGeneration', id: 'i', status: 'completed', result: base64 }),
    )
    expect(calls(result)).toMatchObject([
      { toolName: 'webSearch', input: { query: 'weather' }, output: { results: [{ url: 'x' }] } },
      { toolName: 'imageGeneration' },
    ])
    expect(partsOf(result, 'file')).toMatchObject([{ url: `data:image/png;base64,${base64}` }])
  })

  it('[P3] calls without an item are known from the model’s own items', () => {
    expect(calls(translatedRecording('live-hidden-calls'))).toMatchObject([
      { toolName: 'no_such_tool', input: { a: 1 }, state: 'output-available' },
      { toolName: 'apply_patch', state: 'output-available' },
      { toolName: 'update_plan', state: 'output-available' },
    ])
    expect(calls(translatedRecording('raw-events')).map(({ toolName }) => toolName)).toEqual([
      'commandExecution',
    ])
  })

  it('[P3] calls with the same id in another thread are separate calls', () => {
    const child = { threadId: 'C' }
    const result = inTurn(
      begins(command('c')),
      turnBegins('W', 'C'),
      begins(command('c'), child),
      completes(command('c', { status: 'completed', aggregatedOutput: 'theirs' }), child),
      done('c', 'ours'),
      turnEnds('completed', {}, 'W', 'C'),
    )
    const found = calls(result).filter(({ toolName }) => toolName === 'commandExecution')
    expect(found).toMatchObject([
      { toolCallId: 'c', output: { output: 'ours' } },
      { toolCallId: 'C:c', output: { output: 'theirs' } },
    ])
  })
})

describe('requests to a person', () => {
  const approval = (result: Translated) =>
    result.main.flatMap(chunk => (chunk.type === 'tool-approval-request' ? [chunk] : []))

  it('[P2] an approval has its call and its reason', () => {
    const request = asks(0, 'item/commandExecution/requestApproval', {
      itemId: 'c',
      reason: 'May I?',
      command: 'ls',
      availableDecisions: ['accept', 'cancel'],
    })
    const result = inTurn(
      begins(command('c')),
      request,
      notification('serverRequest/resolved', { requestId: 0 }),
      completes(command('c', { status: 'declined' })),
    )
    expect(approval(result)).toMatchObject([{ toolCallId: 'c', approvalId: 'recording.ask-0' }])
    expect(calls(result)).toMatchObject([
      {
        title: 'May I?',
        input: { command: 'ls', reason: 'May I?' },
        callProviderMetadata: { codex: { availableDecisions: ['accept', 'cancel'] } },
        errorText: 'Declined.',
      },
    ])
    const withoutItem = inTurn(request, completes(command('c', { status: 'completed' })))
    expect(calls(withoutItem)).toMatchObject([{ toolName: 'commandExecution', state: 'output-available' }])
  })

  it('[P2] a request that is settled after its turn changes nothing', () => {
    const result = translatedRecording('interrupt-approval')
    expect(approval(result)).toHaveLength(1)
    expect(calls(result)).toMatchObject([{ state: 'output-error' }])
    expect(linesOf('interrupt-approval').at(-1)).toContain('serverRequest/resolved')
    expect(result.main.at(-1)).toMatchObject({ type: 'finish', messageMetadata: { reason: 'interrupted' } })
  })

  it('[P2] approval of an MCP tool belongs to the matching call', () => {
    const call = (id: string, x: number) =>
      begins({ type: 'mcpToolCall', id, server: 'lab', tool: 'write', arguments: { x } })
    const title = 'Allow the lab MCP server to run tool "write"?'
    const elicit = (id: number, x: number, message = title) =>
      asks(id, 'mcpServer/elicitation/request', {
        serverName: 'lab',
        message,
        _meta: { codex_approval_kind: 'mcp_tool_call', tool_params: { x } },
      })
    const askedAbout = (...lines: readonly string[]) =>
      approval(inTurn(call('a', 1), call('b', 2), ...lines)).map(({ toolCallId }) => toolCallId)
    const result = inTurn(call('a', 1), call('b', 2), elicit(0, 1), elicit(1, 2))
    expect(approval(result).map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b'])
    expect(calls(result)).toMatchObject([{ title }, { title }])
    // Another input, or another tool with the same input, is a separate question that no rule answers.
    expect(askedAbout(elicit(0, 9))).toEqual(['recording.elicitation-0'])
    const other = 'Allow the lab MCP server to run tool "delete"?'
    expect(askedAbout(elicit(0, 1, other))).toEqual(['recording.elicitation-0'])
  })

  it('[S10] approval of a file change is separate from approval of the command of the same item', () => {
    const result = inTurn(begins(command('c')), asks(0, 'item/fileChange/requestApproval', { itemId: 'c' }))
    expect(calls(result)).toMatchObject([{ toolName: 'fileChange' }])
  })

  it('[P2] other questions are separate calls with our answers', () => {
    const questions = [{ id: 'q', question: 'Which?', options: [{ label: 'A' }] }]
    const resolved = (requestId: number) => notification('serverRequest/resolved', { requestId })
    const result = inTurn(
      asks(0, 'item/tool/requestUserInput', { itemId: 'u', questions }),
      ours(0, { answers: { q: { answers: ['A'] } } }),
      resolved(0),
      asks(1, 'mcpServer/elicitation/request', { serverName: 'lab', mode: 'form', message: 'Who?' }),
      ours(1, { action: 'decline', content: null }),
      resolved(1),
      asks(2, 'item/permissions/requestApproval', { itemId: 'p', permissions: { network: {} } }),
      resolved(2),
      asks(3, 'currentTime/read', {}),
    )
    expect(calls(result)).toMatchObject([
      { toolName: 'requestUserInput', input: { questions }, output: { answers: { q: { answers: ['A'] } } } },
      { toolName: 'elicitation', toolCallId: 'recording.elicitation-1', errorText: 'Declined.' },
      { toolName: 'requestPermissions', state: 'output-available', output: null },
    ])
    expect(approval(result)).toHaveLength(3)
  })
})
