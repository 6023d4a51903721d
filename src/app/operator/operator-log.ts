import { CodedError } from '../../base/coded-error.ts';
import { type Clock, systemClock } from '../../cluster/clock.ts';
import type { Redactor } from './redactor.ts';

/** How important a line is, most talkative first. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export const logFormats = ['json', 'text'] as const;
export type LogFormat = (typeof logFormats)[number];

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  readonly redactor: Redactor;
  /** Gets whole lines, each with its end. */
  readonly write: (line: string) => void;
  readonly clock?: Pick<Clock, 'wall'>;
}

/** Writes what happens, one object a line. */
export type OperatorLog = Readonly<
  Record<LogLevel, (message: string, fields?: Readonly<Record<string, unknown>>) => void>
>;

/**
 * A log of one JSON object a line: `time`, `level`, `msg`, then what the line is about. What the redactor knows is in none of them.
 * The format `text` is for a person at a terminal.
 */
export function openLog({ level, format, redactor, write, clock = systemClock }: LogOptions): OperatorLog {
  const least = logLevels.indexOf(level);
  const say =
    (at: LogLevel) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      if (logLevels.indexOf(at) < least) return;
      const time = new Date(clock.wall()).toISOString();
      const { error, ...others } = fields;
      const more = { ...others, ...(error === undefined ? {} : errorFields(error)) };
      const cleaned = redactor.clean({ msg: message, ...more }) as Record<string, unknown> & { msg: string };
      const { msg, ...rest } = cleaned;
      write(
        format === 'json'
          ? `${JSON.stringify({ time, level: at, msg, ...rest })}\n`
          : `${time} ${at.padEnd(5)} ${oneLine(msg)}${textOf(rest)}\n`,
      );
    };
  return { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') };
}

function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  return { error: error.message, ...(error instanceof CodedError ? { code: error.code } : {}) };
}

function textOf(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${typeof value === 'string' ? oneLine(value) : JSON.stringify(value)}`)
    .join('');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ');
}
