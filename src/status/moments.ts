const pattern = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** Seconds since 1970 of an RFC 3339 moment; undefined where it is none. Parts of a second are left out. */
export function secondsOf(moment: string | undefined): number | undefined {
  const found = moment === undefined ? undefined : pattern.exec(moment);
  if (!found) return undefined;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1, 7).map(Number);
  const [, , , , , , , sign, awayHours = '0', awayMinutes = '0'] = found;
  const away = (sign === '-' ? -1 : 1) * (Number(awayHours) * 3600 + Number(awayMinutes) * 60);
  return daysSince1970(year, month, day) * 86400 + hours * 3600 + minutes * 60 + seconds - away;
}

/** Days from 1970-01-01 in the Gregorian calendar: years are counted from March, so that the leap day is the last. */
function daysSince1970(year: number, month: number, day: number): number {
  const fromMarch = month <= 2 ? year - 1 : year;
  const era = Math.floor(fromMarch / 400);
  const yearOfEra = fromMarch - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146097 + dayOfEra - 719468;
}

/** Seconds from one moment to another, never below zero; undefined where one is not known. */
export function secondsBetween(from: string | undefined, to: string | undefined): number | undefined {
  const began = secondsOf(from);
  const ended = secondsOf(to);
  return began === undefined || ended === undefined ? undefined : Math.max(0, ended - began);
}

/** A moment as people read it beside `now`: the time, and the day where it is another one. Always UTC. */
export function sayMoment(moment: string, now: string): string {
  const at = secondsOf(moment);
  if (at === undefined) return moment;
  const day = Math.floor(at / 86400);
  const minutes = Math.floor((at - day * 86400) / 60);
  const time = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)} UTC`;
  const today = secondsOf(now);
  if (today !== undefined && Math.floor(today / 86400) === day) return time;
  return `${dayText(day)} ${time}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** The reverse of `daysSince1970`. */
function dayText(days: number): string {
  const shifted = days + 719468;
  const era = Math.floor(shifted / 146097);
  const dayOfEra = shifted - era * 146097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${year}-${two(month)}-${two(day)}`;
}
