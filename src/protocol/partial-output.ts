import type { Json } from './json.ts'

/**
 * The error of a call that ended before its output was whole: what it had printed until then, and the reason. The AI SDK keeps
 * no output beside an error, so what a person saw while the call ran would be gone with it.
 */
export function errorAfter(partial: Json | undefined, errorText: string): string {
  const text = textOf(partial ?? null)
  // Shown in part, it begins with a mark of what is left out.
  if (text === '' || errorText.includes(text.replace(/^…/, '').trim())) return errorText
  return `${text}${text.endsWith('\n') ? '' : '\n'}${errorText}`
}

/** What names the text in an output. */
const names = ['output', 'progress', 'text'] as const

function textOf(output: Json): string {
  if (typeof output !== 'object') return typeof output === 'string' ? output : JSON.stringify(output)
  const fields = (output ?? {}) as { readonly [key: string]: Json }
  const text = names.map(name => fields[name]).find(each => typeof each === 'string' && each !== '')
  if (typeof text === 'string') return text
  const shown = Object.entries(fields).filter(([name, value]) => name !== 'status' && value !== '')
  return shown.length === 0 ? '' : JSON.stringify(output)
}
