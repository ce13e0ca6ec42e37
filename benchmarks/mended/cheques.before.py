"""Writes amounts in words, as on cheques. It reads each line by input()."""
ONES = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen").split()
TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()


def in_words(number):
    if number < 20:
        return ONES[number]
    if number < 100:
        return TENS[number // 10] + ("-" + ONES[number % 10] if number % 10 else "")
    if number < 1000:
        rest = " and " + in_words(number % 100) if number % 100 else ""
        return ONES[number // 100] + " hundred" + rest
    rest = " " + in_words(number % 1000) if number % 1000 else ""
    return in_words(number // 1000) + " thousand" + rest


def main():
    for _ in range(200_000):
        try:
            line = input()
        except EOFError:
            break
        fields = line.split()
        print(fields[1].rjust(4), in_words(int(fields[0][5:])), "dollars", fields[1], "cents")


main()
