/** A small transcript, line by line, with sizes that can be counted by hand. */
export const second = (at: number): string => new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString()

let lines = 0

/** A line of a transcript. */
export const line = (type: string, at: number, message: object, more: object = {}): string =>
  JSON.stringify({ type, uuid: `u${lines++}`, timestamp: second(at), message, ...more })

/** A prompt. */
export const person = (at: number, text: string): string => line('user', at, { role: 'user', content: text })

/** A block of an answer. */
export const model = (at: number, id: string, block: object): string =>
  line('assistant', at, { role: 'assistant', id, model: 'claude', content: [block] })

/** The result of a tool. */
export const result = (at: number, call: string, content: string): string =>
  line('user', at, { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content }] })

/** The content of a file: 1,000 characters, one of its lines to be changed later. */
export const fileText = `${'x'.repeat(480)}\nthe line to be changed\n${'y'.repeat(495)}\n`

/** Three requests: a read, an edit of what was read, and after more than five minutes a question. */
export const threeRequests: readonly string[] = [
  person(0, 'p'.repeat(100)),
  model(5, 'm1', { type: 'text', text: 't'.repeat(50) }),
  model(6, 'm1', { type: 'tool_use', id: 'c1', name: 'Read', input: { file_path: '/a' } }),
  result(10, 'c1', fileText),
  model(20, 'm2', {
    type: 'tool_use',
    id: 'c2',
    name: 'Edit',
    input: { file_path: '/a', old_string: 'the line to be changed', new_string: 'b' },
  }),
  result(25, 'c2', 'ok'),
  person(390, 'q'.repeat(10)),
  model(400, 'm3', { type: 'text', text: 'done' }),
]
