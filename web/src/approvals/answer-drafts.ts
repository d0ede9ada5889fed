import { begun } from '../drafts/begun.ts'

/** The forms in which an answer is written: with another input, as a no with a reason, or as the words that were asked for. */
const forms = ['change', 'reason', 'words'] as const

/** A form in which an answer is written. */
export type AnswerForm = (typeof forms)[number]

const startOf = (form: AnswerForm, session: string) => `${form} ${session} `

/** Under which it is kept what somebody writes to a question. */
export const draftOf = (form: AnswerForm, session: string, question: string): string =>
  `${startOf(form, session)}${question}`

/** The form in which a decision was begun; null when none was. */
export const begunForm = (session: string, question: string): 'change' | 'reason' | null =>
  (['change', 'reason'] as const).find(form => begun.read(draftOf(form, session, question)) !== null) ?? null

/** Forgets what was begun in one form. */
export const forgetDraft = (draft: string): void => begun.forget(what => what === draft)

/** Forgets what was begun in answer to a question. */
export function forgetAnswer(session: string, question: string): void {
  const drafts = forms.map(form => draftOf(form, session, question))
  begun.forget(what => drafts.includes(what))
}

/** Forgets what was begun in a session in answer to questions that no longer wait. */
export function forgetSettled(session: string, waiting: readonly { readonly id: string }[]): void {
  const drafts = new Set(waiting.flatMap(({ id }) => forms.map(form => draftOf(form, session, id))))
  begun.forget(what => forms.some(form => what.startsWith(startOf(form, session))) && !drafts.has(what))
}
