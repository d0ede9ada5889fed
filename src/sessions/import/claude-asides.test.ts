import { describe, expect, it } from 'vitest'
import { claudeLines } from './claude-lines.fixture.ts'
import { importedOf as of } from './imported-claude.fixture.ts'

describe('[A15] lines beside the answers in transcripts of Claude Code', () => {
  it('shows lines that are not prompts as notices: reminders, summaries, commands, queued messages', async () => {
    const l = claudeLines()
    const { main } = await of(l, [
      l.user('<command-name>/review</command-name><command-args>167</command-args>'),
      l.user([{ type: 'text', text: 'Base directory' }], { isMeta: true }),
      l.text('Reviewing.'),
      l.note('queue-operation', { operation: 'enqueue', content: 'and test it' }),
      l.note('queue-operation', { operation: 'remove' }),
      l.system('compact_boundary', { compactMetadata: { preTokens: 9 } }),
      l.user('All so far.', { isCompactSummary: true }),
      l.user('<local-command-stdout>bye</local-command-stdout>'),
      l.note('file-history-snapshot', { snapshot: {} }),
      l.note('something-new', { secret: 1 }),
    ])
    expect(main).toEqual([
      'user: /review 167',
      'reminder: Base directory',
      'assistant: Reviewing.',
      'said-meanwhile: and test it',
      'compacted: The conversation was replaced by a summary. It had 9 tokens.',
      'summary: All so far.',
      'local-command: bye',
      'unknown: something-new',
    ])
  })

  it('[W2] shows a message that a person sent while Claude was working as theirs, once', async () => {
    const l = claudeLines()
    const queue = (operation: string, content?: string) => l.note('queue-operation', { operation, content })
    const attachment = (prompt: unknown, kind = 'human') => ({
      type: 'attachment',
      attachment: { type: 'queued_command', prompt, origin: { kind } },
      ...l.frame(),
    })
    const ended = '<task-notification><tool-use-id>toolu_t</tool-use-id><status>completed</status>'
    const { main } = await of(l, [
      l.prompt('Go'),
      l.call('toolu_t', 'Task', { prompt: 'Look', description: 'look' }),
      l.result('toolu_t', 'Started.', { toolUseResult: { status: 'async_launched', agentId: 'a9' } }),
      l.call('toolu_1'),
      queue('enqueue', 'first'),
      queue('enqueue', 'second'),
      queue('remove', 'second'),
      attachment('second'),
      l.result('toolu_1'),
      queue('popAll', 'first'),
      queue('enqueue', 'third'),
      queue('dequeue'),
      attachment('third'),
      attachment([
        { type: 'text', text: 'this' },
        { type: 'image', source: {} },
      ]),
      queue('enqueue', ended),
      queue('remove', ended),
      attachment(ended, 'task-notification'),
      attachment('Peers say hello.', 'peer'),
      l.call('toolu_2'),
      l.user([
        { type: 'tool_result', tool_use_id: 'toolu_2', content: 'ok' },
        { type: 'text', text: 'fourth' },
        { type: 'text', text: '<system-reminder>Be brief.</system-reminder>' },
      ]),
      l.text('Done.'),
      l.prompt('second'),
      l.text('Again.'),
    ])
    expect(main).toEqual([
      'user: Go',
      'Task: output-available',
      'subagent: completed',
      'Bash: output-available',
      'said-meanwhile: second',
      'said-meanwhile: third',
      'said-meanwhile: this\n\n[image]',
      `told-to-model: ${ended}`,
      'told-to-model: Peers say hello.',
      'Bash: output-available',
      'said-meanwhile: fourth',
      'told-to-model: <system-reminder>Be brief.</system-reminder>',
      'assistant: Done.',
      'user: second',
      'assistant: Again.',
    ])
  })

  it('[T4] an answer to a local command has no tokens', async () => {
    const l = claudeLines()
    const { messages } = await of(l, [
      l.prompt('Fix it'),
      l.text('Done.'),
      l.user('<bash-input>ls</bash-input>'),
      l.user('<bash-stdout>a.ts</bash-stdout><bash-stderr></bash-stderr>'),
      l.prompt('And?'),
      l.text('Yes.'),
    ])
    const answers = messages.get(null)?.filter(({ role }) => role === 'assistant') ?? []
    expect(answers.map(({ metadata }) => metadata?.['tokens'])).toEqual([
      { input: 10, output: 5, cacheRead: 3, cacheWrite: 2 },
      undefined,
      { input: 10, output: 5, cacheRead: 3, cacheWrite: 2 },
    ])
  })

  it('shows the output and the errors of commands separately, skips empty ones, and strips markup', async () => {
    const l = claudeLines()
    const shell = (out: string, err: string) =>
      l.user(`<bash-stdout>${out}</bash-stdout><bash-stderr>${err}</bash-stderr>`)
    const { main } = await of(l, [
      l.user('<bash-input>git status</bash-input>'),
      shell('nothing to commit, working tree clean', ''),
      l.user('<bash-input>code .</bash-input>'),
      shell('', ''),
      l.user('<bash-input>make</bash-input>'),
      shell('<b>built</b>\n', 'warning: old\n'),
      shell('', 'No rule.'),
      l.user('<local-command-stderr>Not here.</local-command-stderr>'),
      l.system('local_command', {
        content: '<local-command-stdout>MCP dialog dismissed</local-command-stdout>',
      }),
      l.system('local_command', {
        content: '<command-name>/mcp</command-name>\n<command-args></command-args>',
      }),
      l.user('<bash-stdout>cut'),
    ])
    expect(main).toEqual([
      'user: !git status',
      'shell-output: nothing to commit, working tree clean',
      'user: !code .',
      'user: !make',
      'shell-output: <b>built</b>',
      'shell-errors: warning: old',
      'shell-errors: No rule.',
      'local-command-error: Not here.',
      'local-command: MCP dialog dismissed',
      'user: /mcp',
      'told-to-model: <bash-stdout>cut',
    ])
  })

  it('[A15] a local command is a prompt of the person, and does not become the title if a question follows', async () => {
    const l = claudeLines()
    const { main, house, result } = await of(l, [
      l.system('local_command', { content: '<command-name>/mcp</command-name>' }),
      l.system('local_command', { content: '<local-command-stdout>Dismissed</local-command-stdout>' }),
      l.prompt('What is there?\nTell me.'),
      l.text('Much.'),
    ])
    expect(main).toEqual([
      'user: /mcp',
      'local-command: Dismissed',
      'user: What is there?\nTell me.',
      'assistant: Much.',
    ])
    expect(await house.sessions.get(result.session)).toMatchObject({ title: 'What is there?' })
  })

  it('[A15] the last summary of a session is its title, and summaries of other sessions are not', async () => {
    const l = claudeLines()
    const prompt = l.prompt('Name it')
    const { house, result } = await of(l, [
      l.note('summary', { summary: 'Earlier name', leafUuid: prompt.uuid }),
      l.note('summary', { summary: 'A name for it', leafUuid: prompt.uuid }),
      l.note('summary', { summary: 'Another session', leafUuid: 'elsewhere' }),
      prompt,
      l.text('Named.'),
    ])
    expect(await house.sessions.get(result.session)).toMatchObject({ title: 'A name for it' })
  })

  it('[A4] hides warnings to the model about the output of commands', async () => {
    const l = claudeLines()
    const caveat =
      'Caveat: The messages below were generated by the user while running local commands. DO NOT respond to these messages.'
    const { main, house, result } = await of(l, [
      l.user(`<local-command-caveat>${caveat}</local-command-caveat>`, { isMeta: true }),
      l.user('<bash-input>ls</bash-input>'),
      l.user('<bash-stdout>a.ts</bash-stdout><bash-stderr></bash-stderr>'),
      l.user([{ type: 'text', text: caveat }], { isMeta: true }),
      l.user(`${caveat}\nAnd more.`, { isMeta: true }),
      l.prompt(caveat),
      l.text('Yes?'),
    ])
    expect(main).toEqual([
      'user: !ls',
      'shell-output: a.ts',
      `reminder: ${caveat}\nAnd more.`,
      `user: ${caveat}`,
      'assistant: Yes?',
    ])
    const raws = (await house.entries(result.session)).flatMap(({ event }) =>
      'raw' in event ? [event.raw] : [],
    )
    expect(raws.filter(raw => raw.includes('Caveat:'))).toHaveLength(4)
  })
})
