import type { Step } from '../../../src/agents/scripted/script.ts'
import { payloads } from '../../../web/src/safety/payloads.fixture.ts'

/** A marker that names the payload and its place, so that a walk can report which ones it has seen. */
const mark = (place: string, no: number) => `mark-${place}-${no}`

/** How many markers of each place a walk through everything must find. */
export const marksOf = (place: string, count = payloads.length): readonly string[] =>
  Array.from({ length: count }, (_, no) => mark(place, no))

/** Payloads, several at a time, for places with many lines. */
export const bundles: readonly string[] = Array.from({ length: Math.ceil(payloads.length / 12) }, (_, at) =>
  payloads.slice(at * 12, at * 12 + 12).join('\n'),
)

const withEach = (step: (payload: string, no: number) => readonly Step[]): readonly Step[] =>
  payloads.flatMap(step)

/** Each payload as text and as thinking. */
export const hostileWords: readonly Step[] = withEach((payload, no) => [
  { type: 'thinking', text: `${mark('thought', no)}\n\n${payload}`, repeated: true },
  { type: 'text', text: `${mark('text', no)}\n\n${payload}` },
])

const oneLine = (payload: string) => payload.replaceAll('\n', ' ')

/** Each payload as the name of a tool, of a file and of a field, and many at once in tool results. */
export const hostileTools: readonly Step[] = [
  ...withEach((payload, no) => [
    {
      type: 'tools',
      calls: [
        {
          tool: payload,
          input: { [payload]: payload, mark: mark('tool', no) },
          output: { [payload]: [payload] },
        },
        {
          tool: 'Read',
          input: { file_path: `${mark('file', no)}${payload}` },
          output: `     1\t${oneLine(payload)}`,
        },
      ],
    },
  ]),
  ...bundles.map((bundle, no): Step => ({ type: 'tools', calls: callsWith(bundle, no) })),
]

function callsWith(bundle: string, no: number) {
  const lines = bundle.split('\n')
  const asText = (content: string) => ({
    content,
    structured: { stdout: content, stderr: content, interrupted: false },
  })
  const path = `src/${mark('bundle', no)}${lines[0]}`
  return [
    {
      tool: 'Bash',
      input: { command: `${mark('run', no)} ${bundle}`, description: bundle },
      output: asText(bundle),
    },
    { tool: 'Bash', input: { command: mark('fail', no) }, error: bundle },
    {
      tool: 'Edit',
      input: { file_path: path, old_string: bundle, new_string: `${bundle}\nx` },
      output: bundle,
    },
    { tool: 'Write', input: { file_path: path, content: bundle }, output: bundle },
    { tool: 'apply_patch', input: patchOf(path, lines), output: bundle },
    { tool: 'Grep', input: { pattern: bundle }, output: lines.map(line => `${line}:1:${line}`).join('\n') },
    {
      tool: 'WebSearch',
      input: { query: bundle },
      output: `Links: ${JSON.stringify(lines.map(url => ({ title: url, url })))}`,
    },
    { tool: 'WebFetch', input: { url: lines[0] ?? '', prompt: bundle }, output: bundle },
    {
      tool: 'TodoWrite',
      input: { todos: lines.map(content => ({ content, status: 'pending', activeForm: content })) },
      output: bundle,
    },
  ]
}

function patchOf(path: string, lines: readonly string[]): string {
  const added = lines.map(line => `+${line}`)
  return ['*** Begin Patch', `*** Update File: ${path}`, '@@', ...added, '*** End Patch'].join('\n')
}

/** Each payload outside of text: subagents, notices, images, plans, models and unknown lines. */
export const hostileRest: readonly Step[] = [
  ...withEach((payload, no) => [
    {
      type: 'raw',
      text: JSON.stringify({ type: 'hello', session: 's', version: payload, model: payload, cwd: payload }),
    },
    {
      type: 'subagent',
      agent: payload,
      description: payload,
      steps: [{ type: 'text', text: `${mark('sub', no)}\n\n${payload}` }],
    },
    { type: 'notice', level: 'warning', code: payload, message: `${mark('notice', no)} ${payload}` },
    { type: 'image', url: payload, mediaType: 'image/png' },
    { type: 'raw', text: JSON.stringify({ type: payload, [payload]: payload }) },
  ]),
  { type: 'todos', todos: payloads.map(text => ({ text, status: 'in-progress' })) },
  { type: 'error', kind: 'hostile', message: bundles.join('\n') },
]

/** All payloads in one call that must be approved. */
export const hostileApproval: readonly Step[] = [
  {
    type: 'approval',
    tool: bundles.join(' '),
    input: Object.fromEntries(payloads.map(each => [each, each])),
    output: bundles.join('\n'),
  },
]

/** All payloads as requests that can be answered. */
export const hostileQuestion: readonly Step[] = [
  { type: 'question', question: bundles.join('\n'), options: [...payloads] },
]
