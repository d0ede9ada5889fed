/** Lines as Claude Code leaves them on disk. */
export function claudeLines(session = '11111111-2222-4333-8444-555555555555') {
  let count = 0
  const frame = (more: object = {}) => {
    count += 1
    return {
      parentUuid: null,
      isSidechain: false,
      cwd: '/work',
      sessionId: session,
      version: '2.1.33',
      uuid: `uuid-${session.slice(0, 4)}-${count}`,
      timestamp: new Date(1_770_000_000_000 + count * 1000).toISOString(),
      ...more,
    }
  }
  const usage = {
    input_tokens: 10,
    output_tokens: 5,
    cache_read_input_tokens: 3,
    cache_creation_input_tokens: 2,
  }
  const assistant = (content: readonly object[], more: object = {}, id = `msg_${count}`) => ({
    type: 'assistant',
    message: { id, role: 'assistant', model: 'claude-x', content, stop_reason: null, usage },
    ...frame(more),
  })
  const user = (content: unknown, more: object = {}) => ({
    type: 'user',
    message: { role: 'user', content },
    ...frame(more),
  })
  return {
    session,
    frame,
    user,
    prompt: (text: string) => user(text),
    text: (text: string, more?: object, id?: string) => assistant([{ type: 'text', text }], more, id),
    thinking: (thinking: string) => assistant([{ type: 'thinking', thinking, signature: 's' }]),
    call: (id: string, name = 'Bash', input: object = { command: id }, more?: object, message?: string) =>
      assistant([{ type: 'tool_use', id, name, input }], more, message),
    result: (id: string, content: unknown = `result of ${id}`, more?: object) =>
      user([{ type: 'tool_result', tool_use_id: id, content }], more),
    error: (text: string) =>
      assistant([{ type: 'text', text }], { isApiErrorMessage: true, error: 'overloaded' }),
    system: (subtype: string, more: object = {}) => ({ type: 'system', subtype, ...frame(more) }),
    note: (type: string, more: object = {}) => ({ type, sessionId: session, ...more }),
  }
}
