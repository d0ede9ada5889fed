import type { ReactElement } from 'react'
import { Check } from 'lucide-react'
import { InertText } from '../../safety/inert-text.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { AskedQuestion } from '../sections/section.ts'
import styles from './questions.module.css'

/** Questions to the user, with their options and answers. */
export const Questions = ({ questions }: { readonly questions: readonly AskedQuestion[] }): ReactElement => (
  <div className={styles['questions']}>
    {questions.map((each, at) => (
      <Question key={at} {...each} />
    ))}
  </div>
)

function Question({ title, question, options, answer }: AskedQuestion): ReactElement {
  const chosen = options.filter(({ label }) => isIn(answer, label))
  const isOther = answer !== null && chosen.map(({ label }) => label).join(', ') !== answer
  return (
    <div>
      {title !== null && (
        <p className={styles['title']}>
          <InertText text={title} />
        </p>
      )}
      <p className={styles['question']}>
        <InertText text={question} />
      </p>
      {options.length > 0 && (
        <ul className={styles['options']}>
          {options.map(option => (
            <Option key={option.label} {...option} chosen={chosen.includes(option)} />
          ))}
        </ul>
      )}
      {isOther && (
        <p className={styles['answer']}>
          {'Answer: '}
          <InertText text={answer} />
        </p>
      )}
    </div>
  )
}

const isIn = (answer: string | null, label: string) =>
  answer !== null && (answer === label || answer.split(', ').includes(label))

const Option = ({
  label,
  about,
  chosen,
}: AskedQuestion['options'][number] & { readonly chosen: boolean }) => (
  <li className={classNames(styles['option'], chosen && styles['chosen'])}>
    <span className={styles['mark']}>{chosen && <Check size={16} aria-label="Chosen" />}</span>
    <span>
      <InertText text={label} />
      {about !== '' && (
        <span className={styles['about']}>
          {' '}
          <InertText text={about} />
        </span>
      )}
    </span>
  </li>
)
