import type { ToolPart } from '../protocol/message.ts'

/** What agents call the thing that a call is about, the most telling first. */
const telling = ['description', 'command', 'file_path', 'path', 'pattern', 'query', 'url', 'prompt']
const longest = 80

/** A few words about a tool call: what it runs or looks at, or else its name. */
export function callTitle({ title, input, toolName }: ToolPart): string {
  const facts = new Map<string, unknown>(Object.entries(Object(input) as object))
  const about = telling.map(name => facts.get(name)).find(value => typeof value === 'string')
  const [line = ''] = (title ?? about ?? toolName).trim().split('\n')
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}
