// The tracegauge reader protocol, so that an adapter is one function. No packages.
//
// With a path as its last argument the program reads that file (once), without one it answers
// requests on standard input (serve). Any exception but a Rejection is a crash: it ends the
// process, which is what the harness must see.

using System;
using System.Collections;
using System.Globalization;
using System.IO;
using System.Numerics;
using System.Text;
using System.Text.Json;

namespace Tracegauge;

/// <summary>How a reader says no.</summary>
public sealed class Rejection : Exception
{
    internal int Status { get; private init; } = 65;
    internal (string, object?)[] Closing { get; private init; }

    /// <param name="why">In the reader's own words.</param>
    /// <param name="kind">malformed, incomplete or unsupported, where the reader tells.</param>
    /// <param name="offset">The byte at which the reader noticed, where it tells.</param>
    public Rejection(string why, string? kind = null, long? offset = null) : base(why)
    {
        Closing = new (string, object?)[]
        {
            ("end", "reject"), ("why", why), ("class", kind), ("offset", offset),
        };
    }

    /// <summary>The reader does not read this feature, rather than calling it wrong.</summary>
    public static Rejection Unsupported(string feature) => new(feature)
    {
        Status = 69,
        Closing = new (string, object?)[] { ("end", "unsupported"), ("feature", feature) },
    };
}

/// <summary>Takes the records of one case, in the order in which the reader reports them.</summary>
public sealed class Reporter
{
    private readonly Stream output;

    /// <summary>The format that the case is in, by its name in tracegauge.</summary>
    public string Format { get; }

    internal Reporter(string format, Stream output) => (Format, this.output) = (format, output);

    /// <summary>
    /// Reports one record. Values are bool, integers, float, double, string, byte[], Structure,
    /// any other list, and null, which leaves a member out. Maps, and fields that the file
    /// defines, are lists of lists of a name and a value. Text whose bytes are not well-formed
    /// is given as byte[].
    /// </summary>
    public void Record(string kind, params (string Name, object? Value)[] members)
    {
        var all = new (string, object?)[members.Length + 1];
        all[0] = ("record", kind);
        members.CopyTo(all, 1);
        Line(all);
    }

    internal void Line((string, object?)[] members)
    {
        var text = new StringBuilder();
        Canonical.Members(members, text);
        text.Append('\n');
        output.Write(Encoding.UTF8.GetBytes(text.ToString()));
    }

    internal void Close((string, object?)[] members)
    {
        Line(members);
        output.Flush();
    }
}

/// <summary>A value that has named members of its own.</summary>
public sealed class Structure
{
    internal (string, object?)[] Members { get; }

    /// <param name="members">Its members, in order.</param>
    public Structure(params (string Name, object? Value)[] members) => Members = members;
}

/// <summary>Values in the protocol's canonical form.</summary>
internal static class Canonical
{
    private static readonly BigInteger Safe = (BigInteger.One << 53) - 1;

    internal static void Members((string, object?)[] members, StringBuilder text)
    {
        text.Append('{');
        var isFirst = true;
        foreach (var (name, value) in members)
        {
            if (value is null) continue;
            if (!isFirst) text.Append(',');
            isFirst = false;
            text.Append(JsonSerializer.Serialize(name)).Append(':');
            Write(value, text);
        }
        text.Append('}');
    }

    private static void Write(object? value, StringBuilder text)
    {
        switch (value)
        {
            case null: text.Append("null"); break;
            case bool truth: text.Append(truth ? "true" : "false"); break;
            case string words: text.Append(JsonSerializer.Serialize(words)); break;
            case byte[] bytes:
                text.Append("{\"hex\":\"").Append(Convert.ToHexString(bytes).ToLowerInvariant());
                text.Append("\"}");
                break;
            case float number: Real(number, number.ToString("R", CultureInfo.InvariantCulture), text); break;
            case double number: Real(number, number.ToString("R", CultureInfo.InvariantCulture), text); break;
            case Guid guid: text.Append('"').Append(guid.ToString("D")).Append('"'); break;
            case BigInteger number: Integer(number, text); break;
            case sbyte or byte or short or ushort or int or uint or long:
                Integer(Convert.ToInt64(value, CultureInfo.InvariantCulture), text);
                break;
            case ulong number: Integer(number, text); break;
            case Structure structure: Members(structure.Members, text); break;
            case IEnumerable items: Items(items, text); break;
            default: throw new ArgumentException($"no canonical form for {value.GetType()}");
        }
    }

    private static void Items(IEnumerable items, StringBuilder text)
    {
        text.Append('[');
        var isFirst = true;
        foreach (var item in items)
        {
            if (!isFirst) text.Append(',');
            isFirst = false;
            Write(item, text);
        }
        text.Append(']');
    }

    private static void Integer(BigInteger number, StringBuilder text)
    {
        var digits = number.ToString(CultureInfo.InvariantCulture);
        text.Append(BigInteger.Abs(number) > Safe ? $"\"{digits}\"" : digits);
    }

    private static void Real(double number, string digits, StringBuilder text) =>
        text.Append(
            double.IsNaN(number) ? "\"NaN\""
            : double.IsPositiveInfinity(number) ? "\"Infinity\""
            : double.IsNegativeInfinity(number) ? "\"-Infinity\""
            : digits);
}

/// <summary>The two modes of the protocol around one reading function.</summary>
public static class Protocol
{
    /// <summary>Runs the program and gives its exit status.</summary>
    public static int Run(string name, string version, Action<byte[], Reporter> read)
    {
        var arguments = Environment.GetCommandLineArgs();
        using var output = new BufferedStream(Console.OpenStandardOutput(), 1 << 16);
        if (arguments.Length > 1)
        {
            var format = Environment.GetEnvironmentVariable("TRACEGAUGE_FORMAT") ?? "";
            return Case(arguments[^1], new Reporter(format, output), read);
        }
        using var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
        while (input.ReadLine() is { } line)
        {
            if (line.Trim().Length > 0) Answer(line, name, version, output, read);
        }
        return 0;
    }

    private static void Answer(
        string line, string name, string version, Stream output, Action<byte[], Reporter> read)
    {
        using var document = JsonDocument.Parse(line);
        var request = document.RootElement;
        if (request.TryGetProperty("tracegauge", out var major))
        {
            if (major.GetInt32() != 1) throw new InvalidDataException($"unknown protocol: {line}");
            new Reporter("", output).Close(new (string, object?)[]
            {
                ("tracegauge", 1), ("name", name), ("version", version), ("reports", "records"),
            });
            return;
        }
        var format = request.TryGetProperty("format", out var named) ? named.GetString() : null;
        var path = request.GetProperty("file").GetString();
        Case(path ?? "", new Reporter(format ?? "", output), read);
    }

    /// <summary>Reads one case and closes it; gives the exit status of `once`.</summary>
    private static int Case(string path, Reporter reporter, Action<byte[], Reporter> read)
    {
        var data = File.ReadAllBytes(path);
        try
        {
            read(data, reporter);
        }
        catch (Rejection rejection)
        {
            reporter.Close(rejection.Closing);
            return rejection.Status;
        }
        reporter.Close(new (string, object?)[] { ("end", "accept") });
        return 0;
    }
}
