import { useId, type ReactElement } from 'react'
import { InertText } from '../safety/inert-text.tsx'
import { Button } from '../ui/button.tsx'
import { jsonIn } from './json-fields.ts'
import styles from './question-form.module.css'
import {
  answeredInput,
  answersOf,
  choose,
  emptyDraft,
  draftsIn,
  typeOwn,
  withoutSecrets,
  type Question,
  type AnswerDraft,
} from './questions.ts'
import type { Answer } from './use-answering.ts'
import { useFormDraft } from './use-form-draft.ts'

/** The agent's questions, each with its choices and a field for another answer. */
export function QuestionForm({
  input,
  questions,
  draft,
  disabled,
  onAnswer,
  onWrite,
}: {
  readonly input: unknown
  readonly questions: readonly Question[]
  /** The storage key of the draft. */
  readonly draft: string
  readonly disabled: boolean
  readonly onAnswer: (answer: Answer) => void
  /** Called when an answer was chosen or typed. */
  readonly onWrite: (isWriting: boolean) => void
}): ReactElement {
  const { typed, setTyped, trouble } = useFormDraft(
    draft,
    kept => draftsIn(jsonIn(kept), questions),
    next => withoutSecrets(next, questions),
    onWrite,
  )
  const answers = answersOf(questions, typed)
  return (
    <form
      className={styles['form']}
      onSubmit={event => {
        event.preventDefault()
        if (answers !== null && !disabled) onAnswer({ approved: true, input: answeredInput(input, answers) })
      }}
    >
      <div className={styles['questions']}>
        {questions.map((question, at) => (
          <OneQuestion
            key={at}
            question={question}
            typed={typed[at] ?? emptyDraft}
            onTyped={next => setTyped(typed.map((each, index) => (index === at ? next : each)))}
          />
        ))}
      </div>
      {trouble !== null && <p role="alert">{trouble}</p>}
      <div className={styles['buttons']}>
        <Button type="submit" kind="primary" disabled={disabled || answers === null}>
          Answer
        </Button>
        <Button disabled={disabled} onClick={() => onAnswer({ approved: false })}>
          Deny
        </Button>
      </div>
    </form>
  )
}

function OneQuestion({
  question,
  typed,
  onTyped,
}: {
  readonly question: Question
  readonly typed: AnswerDraft
  readonly onTyped: (typed: AnswerDraft) => void
}): ReactElement {
  const name = useId()
  const { options, several, secret, header } = question
  return (
    <fieldset className={styles['question']}>
      <legend className={styles['legend']}>
        {header !== null && (
          <span className={styles['header']}>
            <InertText text={header} />
          </span>
        )}
        <InertText text={question.question} />
        {several && <span className={styles['several']}> (choose any number)</span>}
      </legend>
      {options.map(option => (
        <Option
          key={option.label}
          name={name}
          option={option}
          several={several}
          checked={typed.chosen.includes(option.label)}
          onChoose={() => onTyped(choose(typed, question, option.label))}
        />
      ))}
      <input
        className={styles['own']}
        type={secret ? 'password' : 'text'}
        autoComplete="off"
        value={typed.own}
        aria-label={options.length === 0 ? 'Your answer' : 'Another answer'}
        placeholder={options.length === 0 ? 'Your answer' : 'Or write another answer'}
        onChange={({ target }) => onTyped(typeOwn(typed, question, target.value))}
      />
    </fieldset>
  )
}

const Option = ({
  name,
  option: { label, description },
  several,
  checked,
  onChoose,
}: {
  readonly name: string
  readonly option: Question['options'][number]
  readonly several: boolean
  readonly checked: boolean
  readonly onChoose: () => void
}): ReactElement => (
  <label className={styles['option']}>
    <input type={several ? 'checkbox' : 'radio'} name={name} checked={checked} onChange={onChoose} />
    <span>
      <InertText text={label} />
      {description !== null && (
        <span className={styles['description']}>
          <InertText text={description} />
        </span>
      )}
    </span>
  </label>
)
