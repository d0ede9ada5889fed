import { draftStore } from '../drafts/draft-store.ts'

/** The forms for an answer: edited input, denial with a reason, or the requested answer. */
const forms = ['change', 'reason', 'words'] as const

/** A form in which an answer is written. */
export type AnswerForm = (typeof forms)[number]

const startOf = (form: AnswerForm, session: string) => `${form} ${session} `

/** The storage key for a draft answer. */
export const draftOf = (form: AnswerForm, session: string, question: string): string =>
  `${startOf(form, session)}${question}`

/** The form that was started for a request; null when none was. */
export const draftForm = (session: string, question: string): 'change' | 'reason' | null =>
  (['change', 'reason'] as const).find(form => draftStore.read(draftOf(form, session, question)) !== null) ??
  null

/** Deletes the draft of one form. */
export const forgetDraft = (draft: string): void => draftStore.forget(what => what === draft)

/** Deletes all drafts for a request. */
export function forgetAnswer(session: string, question: string): void {
  const drafts = forms.map(form => draftOf(form, session, question))
  draftStore.forget(what => drafts.includes(what))
}

/** Deletes drafts in a session for requests that are no longer pending. */
export function forgetSettled(session: string, waiting: readonly { readonly id: string }[]): void {
  const drafts = new Set(waiting.flatMap(({ id }) => forms.map(form => draftOf(form, session, id))))
  draftStore.forget(what => forms.some(form => what.startsWith(startOf(form, session))) && !drafts.has(what))
}
