"""Gaming days without a controller: their beginnings, and times in the form of the API."""

import datetime
import zoneinfo

ZONE = zoneinfo.ZoneInfo("America/New_York")
TODAY = datetime.date(2026, 11, 22)


def begin_of(day):
    at = datetime.datetime(day.year, day.month, day.day, 6, tzinfo=ZONE)
    return at.astimezone(datetime.timezone.utc)


def text_of(at, minutes=0):
    return (at + datetime.timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%S.000000Z")
