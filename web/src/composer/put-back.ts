import type { PromptPart } from 'dragoman'

const takers = new Map<string, (parts: readonly PromptPart[]) => void>()

/** Lets the composer of a session take prompts back, until the returned function is called. */
export function takesBack(session: string, take: (parts: readonly PromptPart[]) => void): () => void {
  takers.set(session, take)
  return () => {
    if (takers.get(session) === take) takers.delete(session)
  }
}

/** Puts a withdrawn prompt back into its session's composer; false when there is none. */
export function putBack(session: string, parts: readonly PromptPart[]): boolean {
  const take = takers.get(session)
  take?.(parts)
  return take !== undefined
}
