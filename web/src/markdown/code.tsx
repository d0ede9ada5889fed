import { useState, type ReactElement, type ReactNode } from 'react'
import { WrapText } from 'lucide-react'
import { withoutAnsi } from '../safety/inert-text.ts'
import { IconButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { CodeFrame } from './code-frame.tsx'
import { CodeText } from './code-text.tsx'
import styles from './code.module.css'
import { languageOf, titleOf } from './highlight/language-names.ts'

/** The props of a text of code. */
export interface CodeProps {
  readonly text: string
  /** As a fence names it, or the end of a file's name. */
  readonly language?: string | undefined
  readonly streaming?: boolean
  /** What else can be done with it. */
  readonly tools?: ReactNode
}

/** A text of code with its language, to copy and to wrap: plain at once, in colours as soon as they are there. */
export function Code({ text, language = '', streaming = false, tools }: CodeProps): ReactElement {
  const [isWrapped, wrap] = useState(false)
  const known = languageOf(language)
  const title = known === undefined ? language.trim() || 'Text' : titleOf(known)
  return (
    <CodeFrame
      title={title}
      hint={language}
      tools={
        <>
          {tools}
          <IconButton
            label="Wrap long lines"
            aria-pressed={isWrapped}
            className={styles['tool']}
            onClick={() => wrap(!isWrapped)}
          >
            <WrapText size={15} aria-hidden />
          </IconButton>
          <CopyButton text={() => withoutAnsi(text)} label="Copy code" />
        </>
      }
    >
      {/* So that keys can scroll it. */}
      <pre className={classNames(styles['text'], isWrapped && styles['wrapped'])} tabIndex={0}>
        <CodeText text={text} language={language} streaming={streaming} />
      </pre>
    </CodeFrame>
  )
}
